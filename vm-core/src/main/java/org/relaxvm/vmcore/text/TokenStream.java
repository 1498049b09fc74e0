package org.relaxvm.vmcore.text;

import java.util.List;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.vmcore.text.Token.Kind;

/** Walks over tokens and says what it expected when another comes. */
final class TokenStream {
  private final SourceText source;
  private final List<Token> tokens;
  private int at;

  TokenStream(SourceText source) {
    this.source = source;
    this.tokens = Lexer.tokens(source);
  }

  List<Token> all() {
    return tokens;
  }

  Token peek() {
    return tokens.get(at);
  }

  /** The token after the next. */
  Token peekSecond() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  Token next() {
    Token token = tokens.get(at);
    at = Math.min(at + 1, tokens.size() - 1);
    return token;
  }

  boolean accept(char punctuation) {
    boolean found = peek().is(punctuation);
    if (found) {
      next();
    }
    return found;
  }

  boolean acceptName(String name) {
    boolean found = peek().isName(name);
    if (found) {
      next();
    }
    return found;
  }

  void expect(char punctuation, String expected) {
    if (!accept(punctuation)) {
      throw unexpected(expected);
    }
  }

  Token expect(Kind kind, String expected) {
    if (peek().kind() != kind) {
      throw unexpected(expected);
    }
    return next();
  }

  void expectLineEnd(String expected) {
    if (peek().kind() != Kind.END && peek().kind() != Kind.NEWLINE) {
      throw unexpected(expected);
    }
  }

  void skipNewlines() {
    while (peek().kind() == Kind.NEWLINE) {
      next();
    }
  }

  /** The error that the next token is not what is expected. */
  MalformedFileException unexpected(String expected) {
    return error(peek(), "expected " + expected + ", but got " + peek().describe());
  }

  MalformedFileException error(Token token, String message) {
    return source.error(token.offset(), message);
  }

  /** An integer in decimal or, after 0x, hexadecimal digits. */
  long integer(String expected) {
    Token token = expect(Kind.NUMBER, expected);
    try {
      return Numbers.parseLong(token.text());
    } catch (NumberFormatException e) {
      throw error(token, "expected " + expected + ", but got " + token.describe());
    }
  }
}
