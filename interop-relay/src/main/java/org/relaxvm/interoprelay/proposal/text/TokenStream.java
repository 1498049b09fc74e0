package org.relaxvm.interoprelay.proposal.text;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.proposal.text.Token.Kind;

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

  Token peekSecond() {
    return tokens.get(Math.min(at + 1, tokens.size() - 1));
  }

  /** The tokens from the next on, up to a punctuation mark or the end. */
  List<Token> upTo(char punctuation) {
    int end = at;
    while (end < tokens.size() - 1 && !tokens.get(end).is(punctuation)) {
      end++;
    }
    return tokens.subList(at, end);
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

  void expect(char punctuation, String where) {
    if (!accept(punctuation)) {
      throw unexpected("'" + punctuation + "' " + where);
    }
  }

  Token expect(Kind kind, String expected) {
    if (peek().kind() != kind) {
      throw unexpected(expected);
    }
    return next();
  }

  /** The error that the next token is not what is expected. */
  MalformedFileException unexpected(String expected) {
    return error(peek(), "expected " + expected + ", but got " + peek().describe());
  }

  MalformedFileException error(Token token, String message) {
    return source.error(token.offset(), message);
  }

  /** A decimal integer of 64 bits. */
  long integer(String expected) {
    Token token = expect(Kind.NUMBER, expected);
    try {
      return Long.parseLong(token.text());
    } catch (NumberFormatException e) {
      throw error(token, "expected " + expected + ", but got " + token.describe());
    }
  }

  /** A decimal integer of 32 bits. */
  int index(String expected) {
    Token token = peek();
    long value = integer(expected);
    if (value != (int) value) {
      throw error(token, "expected " + expected + ", but got " + token.describe());
    }
    return (int) value;
  }

  int register(String role) {
    Token token = expect(Kind.REGISTER, role);
    try {
      return Integer.parseInt(token.text());
    } catch (NumberFormatException e) {
      throw error(token, "expected " + role + ", but got " + token.describe());
    }
  }

  DType dtype() {
    Token token = expect(Kind.NAME, "a dtype such as float32");
    try {
      return DType.parse(token.text());
    } catch (CallException e) {
      throw error(token, e.summary());
    }
  }

  /** Extents in brackets. */
  Shape shape() {
    expect('[', "and the extents of a shape");
    List<Long> dims = new ArrayList<>();
    while (!accept(']')) {
      if (!dims.isEmpty()) {
        expect(',', "or ']' in a shape");
      }
      dims.add(integer("an extent"));
    }
    return Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
  }
}
