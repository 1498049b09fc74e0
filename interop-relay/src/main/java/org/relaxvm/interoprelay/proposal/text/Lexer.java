package org.relaxvm.interoprelay.proposal.text;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.interoprelay.proposal.text.Token.Kind;

/** Cuts program text into tokens; ends of lines only end comments. */
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
    do {
      tokens.add(lexer.next());
    } while (tokens.getLast().kind() != Kind.END);
    return tokens;
  }

  /** Whether a text begins as a module does, after blanks and comments. */
  static boolean beginsModule(String text) {
    Lexer lexer = new Lexer(new SourceText(text));
    lexer.skipBlanks();
    String word = lexer.word();
    lexer.skipBlanks();
    char next = lexer.at < text.length() ? text.charAt(lexer.at) : ' ';
    return switch (word) {
      case "const", "packed" -> isDigit(next);
      case "func" -> next == '@';
      default -> false;
    };
  }

  private Token next() {
    skipBlanks();
    int start = at;
    if (at == text.length()) {
      return new Token(Kind.END, "", start);
    }
    char c = text.charAt(at);
    if (isNameStart(c)) {
      return new Token(Kind.NAME, word(), start);
    }
    if (isDigit(c) || c == '+' || c == '-') {
      return number();
    }
    if (c == '"') {
      return string();
    }
    if (c == '$' || c == '@') {
      at++;
      String word = word();
      boolean valid = c == '$' ? isNumber(word) : !word.isEmpty() && isNameStart(word.charAt(0));
      if (!valid) {
        throw source.error(
            start,
            c == '$'
                ? "expected a register, '$' and its number"
                : "expected a function, '@' and its name");
      }
      return new Token(c == '$' ? Kind.REGISTER : Kind.FUNCTION, word, start);
    }
    if (":,()[]{}=".indexOf(c) >= 0) {
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
      if (c == ';') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\uFEFF') {
        at++;
      } else {
        return;
      }
    }
  }

  private String word() {
    int start = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private Token number() {
    int start = at++;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean exponent = Character.toLowerCase(text.charAt(at - 1)) == 'e' && at > start + 1;
      if (!isNamePart(c) && !(exponent && (c == '-' || c == '+'))) {
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
        int end = Math.min(at + 4, text.length());
        String digits = text.substring(at, end);
        if (!digits.matches("[0-9a-fA-F]{4}")) {
          throw source.error(start, "expected four hexadecimal digits after \\u");
        }
        at = end;
        yield (char) Integer.parseInt(digits, 16);
      }
      default ->
          throw source.error(
              start, "unknown escape: expected one of \\n, \\r, \\t, \\\", \\\\ and \\uXXXX");
    };
  }

  private static boolean isNumber(String word) {
    return !word.isEmpty() && word.chars().allMatch(c -> isDigit((char) c));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c) || c == '.' || c == '$';
  }
}
