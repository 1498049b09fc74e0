package org.relaxvm.tir.text;

import java.util.List;
import java.util.function.Supplier;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.text.Token.Kind;

/**
 * Walks over the tokens of a text, and says what it expected when another comes. All errors are
 * {@link MalformedFileException}s of the kind {@code ValueError} that name source, line and column.
 *
 * <p>Lines and their indentation count, as in Python, except inside brackets; comments do not. A
 * text has at most 67108864 characters and 2000000 tokens. Not thread-safe.
 */
public final class TokenStream {
  private final SourceText source;
  private final List<Token> tokens;
  private int at;

  /** The tokens of a whole text, from the first one on. */
  public TokenStream(SourceText source) {
    this(source, Lexer.tokens(source));
  }

  private TokenStream(SourceText source, List<Token> tokens) {
    this.source = source;
    this.tokens = tokens;
  }

  /**
   * The tokens inside a string of this text: one line. Errors are shown at the position of the
   * string.
   */
  public TokenStream in(Token string) {
    return new TokenStream(source, Lexer.tokensIn(source, string));
  }

  /** The token that comes next. */
  public Token peek() {
    return peek(0);
  }

  /** The token after that many others; the last one when there are not as many. */
  public Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  /** Takes the token that comes next; the last one stays. */
  public Token next() {
    Token token = peek();
    at = Math.min(at + 1, tokens.size() - 1);
    return token;
  }

  /** The position, for {@link #reset}. */
  public int mark() {
    return at;
  }

  /** Goes back or forth to a position. */
  public void reset(int mark) {
    at = mark;
  }

  /** Whether these symbols and words come next. */
  public boolean comes(String... symbols) {
    for (int i = 0; i < symbols.length; i++) {
      if (!peek(i).is(symbols[i])) {
        return false;
      }
    }
    return true;
  }

  /** Takes this symbol or word when it comes next; whether it did. */
  public boolean accept(String symbol) {
    boolean found = peek().is(symbol);
    if (found) {
      next();
    }
    return found;
  }

  /** Takes this symbol or word, which must come next. */
  public Token expect(String symbol) {
    if (!peek().is(symbol)) {
      throw unexpected("'" + symbol + "'");
    }
    return next();
  }

  /**
   * Takes a token of this kind, which must come next.
   *
   * @param expected says in messages what must come, such as {@code the name of a block in quotes}
   */
  public Token expect(Kind kind, String expected) {
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

  /**
   * Takes a name for something new, which must not be reserved.
   *
   * @param what says in messages what it names, such as {@code a parameter}
   */
  public Token expectNewName(String what) {
    Token name = expect(Kind.NAME, "the name of " + what);
    if (Names.isReserved(name.text())) {
      throw error(name, "'" + name.text() + "' has another meaning and cannot name " + what);
    }
    return name;
  }

  /** Takes the end of the line, which must come next. */
  public void expectLineEnd() {
    expect(Kind.NEWLINE, "the end of the line");
  }

  /** After an item of a list: whether another one follows. Takes the comma or this bracket. */
  public boolean another(String close) {
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
  public MalformedFileException unexpected(String expected) {
    return error(peek(), "expected " + expected + ", but got " + peek().describe());
  }

  /**
   * The error that a name means nothing.
   *
   * @param what it should be, such as {@code type}
   * @param existing all that there is
   */
  public MalformedFileException unknown(Token token, String what, String existing) {
    return error(
        token, "unknown " + what + " " + token.quoted() + "\n  what there is: " + existing);
  }

  /** The error with this message at a position. */
  public MalformedFileException error(Token token, String message) {
    return source.error(token.offset(), message);
  }

  /** What the IR makes of it; where it refuses, that is an error of the text at this position. */
  public <T> T make(Token token, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (MalformedFileException e) {
      throw e;
    } catch (RelaxException e) {
      throw error(token, e.summary());
    }
  }
}
