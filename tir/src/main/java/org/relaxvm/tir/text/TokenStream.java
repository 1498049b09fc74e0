package org.relaxvm.tir.text;

import java.util.List;
import java.util.function.Supplier;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.text.Token.Kind;

/** Walks over tokens and says what it expected when another comes. */
final class TokenStream {
  private final SourceText source;
  private final List<Token> tokens;
  private int at;

  TokenStream(SourceText source) {
    this(source, Lexer.tokens(source));
  }

  private TokenStream(SourceText source, List<Token> tokens) {
    this.source = source;
    this.tokens = tokens;
  }

  /** The tokens inside a string. */
  TokenStream in(Token string) {
    return new TokenStream(source, Lexer.tokensIn(source, string));
  }

  Token peek() {
    return peek(0);
  }

  Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  Token next() {
    Token token = peek();
    at = Math.min(at + 1, tokens.size() - 1);
    return token;
  }

  /** The place, for {@link #reset}. */
  int mark() {
    return at;
  }

  void reset(int mark) {
    at = mark;
  }

  /** Whether these symbols and words come next. */
  boolean comes(String... symbols) {
    for (int i = 0; i < symbols.length; i++) {
      if (!peek(i).is(symbols[i])) {
        return false;
      }
    }
    return true;
  }

  boolean accept(String symbol) {
    boolean found = peek().is(symbol);
    if (found) {
      next();
    }
    return found;
  }

  Token expect(String symbol) {
    if (!peek().is(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
    return next();
  }

  Token expect(Kind kind, String expected) {
    if (peek().kind() != kind) {
      throw unexpected(expected);
    }
    return next();
  }

  /** {@code T.} and a name. */
  Token expectFunction() {
    expect("T");
    expect(".");
    return expect(Kind.NAME, "the name of a function of T");
  }

  /** A name for something new. */
  Token expectNewName(String what) {
    Token name = expect(Kind.NAME, "the name of " + what);
    if (Names.isReserved(name.text())) {
      throw error(name, "'" + name.text() + "' has another meaning and cannot name " + what);
    }
    return name;
  }

  void expectLineEnd() {
    expect(Kind.NEWLINE, "the end of the line");
  }

  /** After an item of a list: whether another one follows. */
  boolean another(String close) {
    if (accept(close)) {
      return false;
    }
    if (!accept(",")) {
      throw unexpected("',' or '" + close + "'");
    }
    return !accept(close);
  }

  void skipLine() {
    while (peek().kind() != Kind.NEWLINE && peek().kind() != Kind.END) {
      next();
    }
    next();
  }

  /** The error that the next token is not what is expected. */
  MalformedFileException unexpected(String expected) {
    return error(peek(), "expected " + expected + ", but got " + peek().describe());
  }

  /** The error that a name means nothing. */
  MalformedFileException unknown(Token place, String what, String existing) {
    return error(
        place, "unknown " + what + " " + place.quoted() + "\n  what there is: " + existing);
  }

  MalformedFileException error(Token place, String message) {
    return source.error(place.offset(), message);
  }

  /** What the IR makes of it; where it refuses, that is an error of the text at this place. */
  <T> T make(Token place, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (MalformedFileException e) {
      throw e;
    } catch (RelaxException e) {
      throw error(place, e.summary());
    }
  }
}
