package org.relaxvm.vmcore.text;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.vmcore.text.Token.Kind;

/** Cuts program text into tokens. */
final class Lexer {
  private final SourceText source;
  private final String text;
  private int at;

  private Lexer(SourceText source) {
    this.source = source;
    this.text = source.text();
  }

  /** The tokens, the last of which is {@link Kind#END}. */
  static List<Token> tokens(SourceText source) {
    Lexer lexer = new Lexer(source);
    List<Token> tokens = new ArrayList<>();
    Token token;
    do {
      token = lexer.next();
      tokens.add(token);
    } while (token.kind() != Kind.END);
    return tokens;
  }

  /** Where the first line begins that has more than blanks and comments. */
  static int afterBlankLines(String text) {
    Lexer lexer = new Lexer(new SourceText(text));
    lexer.skipBlanks();
    while (lexer.at < text.length() && text.charAt(lexer.at) == '\n') {
      lexer.at++;
      lexer.skipBlanks();
    }
    return lexer.at;
  }

  private Token next() {
    skipBlanks();
    int start = at;
    if (at == text.length()) {
      return new Token(Kind.END, "", start);
    }
    char c = text.charAt(at);
    if (c == '\n') {
      at++;
      return new Token(Kind.NEWLINE, "\n", start);
    }
    if (c == '"') {
      return string();
    }
    if (Quoting.isNameStart(c)) {
      while (at < text.length() && Quoting.isNamePart(text.charAt(at))) {
        at++;
      }
      return new Token(Kind.NAME, text.substring(start, at), start);
    }
    if (startsNumber(c)) {
      return number();
    }
    if ("@:;,()[]=%".indexOf(c) >= 0) {
      at++;
      return new Token(Kind.PUNCTUATION, String.valueOf(c), start);
    }
    throw source.error(
        at,
        "unexpected character "
            + (Character.isISOControl(c) || c > 0x7E
                ? String.format("U+%04X", text.codePointAt(at))
                : "'" + c + "'"));
  }

  private void skipBlanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#' || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        at++;
      } else {
        return;
      }
    }
  }

  private boolean startsNumber(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+';
  }

  private Token number() {
    int start = at++;
    while (at < text.length()) {
      char c = text.charAt(at);
      char before = Character.toLowerCase(text.charAt(at - 1));
      boolean exponentSign =
          (c == '-' || c == '+') && (before == 'e' || before == 'p') && at > start + 1;
      if (!Quoting.isNamePart(c) && !exponentSign) {
        break;
      }
      at++;
    }
    return new Token(Kind.NUMBER, text.substring(start, at), start);
  }

  private Token string() {
    int start = at++;
    StringBuilder value = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '\n') {
      char c = text.charAt(at++);
      if (c == '"') {
        return new Token(Kind.STRING, value.toString(), start);
      }
      value.append(c == '\\' ? escape() : c);
    }
    throw source.error(start, "this string does not end on its line: expected a closing \"");
  }

  private char escape() {
    int start = at - 1;
    char c = at < text.length() ? text.charAt(at++) : '\n';
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '"', '\\' -> c;
      case 'u' -> {
        boolean digits = at + 4 <= text.length();
        int code = 0;
        for (int i = 0; digits && i < 4; i++) {
          int digit = Character.digit(text.charAt(at + i), 16);
          digits = digit >= 0;
          code = code * 16 + digit;
        }
        if (!digits) {
          throw source.error(start, "expected four hexadecimal digits after \\u");
        }
        at += 4;
        yield (char) code;
      }
      default ->
          throw source.error(
              start, "unknown escape: expected one of \\n, \\r, \\t, \\\", \\\\ and \\uXXXX");
    };
  }
}
