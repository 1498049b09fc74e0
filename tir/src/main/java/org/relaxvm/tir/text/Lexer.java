package org.relaxvm.tir.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.tir.text.Token.Kind;

/** Splits a text into tokens. Lines and their indentation count, except inside brackets. */
final class Lexer {
  private static final List<String> LONG_SYMBOLS = List.of("//", "==", "!=", "<=", ">=", "->");
  private static final String SYMBOLS = "+-*/%<>()[]{},:=.@";

  private final SourceText source;
  private final String text;
  private final @Nullable Token string;
  private final List<Token> tokens = new ArrayList<>();
  private final Deque<Integer> indents = new ArrayDeque<>(List.of(0));
  private int at;
  private int brackets;

  private Lexer(SourceText source, @Nullable Token string) {
    this.source = source;
    this.text = string == null ? source.text() : string.text();
    this.string = string;
    // Between brackets the ends of lines are blanks.
    this.brackets = string == null ? 0 : 1;
  }

  /** All tokens; the last one is {@link Kind#END}. */
  static List<Token> tokens(SourceText source) {
    if (source.text().length() > Limits.CHARACTERS) {
      throw source.error(0, "a text has at most " + Limits.CHARACTERS + " characters");
    }
    return new Lexer(source, null).readAll();
  }

  /** The tokens of the text in a string, all at the position of the string. */
  static List<Token> tokensIn(SourceText source, Token string) {
    return new Lexer(source, string).readAll();
  }

  private MalformedFileException error(int offset, String message) {
    return string == null
        ? source.error(offset, message)
        : source.error(
            string.offset(),
            "the expression in " + string.describe() + " cannot be read: " + message);
  }

  private List<Token> readAll() {
    boolean lineStart = string == null;
    while (true) {
      if (lineStart) {
        readIndentation();
        lineStart = false;
      }
      skipBlanks();
      if (at == text.length()) {
        break;
      }
      if (text.charAt(at) == '\n') {
        if (brackets == 0) {
          add(Kind.NEWLINE, at, "");
          lineStart = true;
        }
        at++;
      } else {
        readToken();
      }
    }
    boolean endsInLine = !tokens.isEmpty() && tokens.getLast().kind() != Kind.NEWLINE;
    if (endsInLine || string != null) {
      add(Kind.NEWLINE, at, "");
    }
    for (; indents.size() > 1; indents.pop()) {
      add(Kind.DEDENT, at, "");
    }
    add(Kind.END, at, "");
    return tokens;
  }

  /** Skips lines without tokens, then compares the blanks of the next one with those before. */
  private void readIndentation() {
    int start = at;
    while (at < text.length()) {
      start = at;
      skipBlanks();
      if (at == text.length() || text.charAt(at) != '\n') {
        break;
      }
      at++;
    }
    if (at == text.length()) {
      return;
    }
    int tab = text.substring(start, at).indexOf('\t');
    if (tab >= 0) {
      throw error(start + tab, "expected spaces in front of the line, but got a tab");
    }
    int width = at - start;
    if (width > indents.getFirst()) {
      indents.push(width);
      add(Kind.INDENT, at, "");
    }
    while (width < indents.getFirst()) {
      indents.pop();
      add(Kind.DEDENT, at, "");
      if (width > indents.getFirst()) {
        throw error(
            at,
            "expected an indentation of a line above ("
                + indents.getFirst()
                + " spaces), but got "
                + width);
      }
    }
  }

  /** Blanks and comments. */
  private void skipBlanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        at++;
      } else {
        return;
      }
    }
  }

  private void readToken() {
    int start = at;
    char c = text.charAt(at);
    if (Names.isStart(c)) {
      while (at < text.length() && Names.isPart(text.charAt(at))) {
        at++;
      }
      add(Kind.NAME, start, text.substring(start, at));
    } else if (isDigit(at) || (c == '.' && isDigit(at + 1))) {
      readNumber(start);
    } else if (c == '"' || c == '\'') {
      readString(start, c);
    } else {
      readSymbol(start, c);
    }
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private void readNumber(int start) {
    skipDigits();
    boolean isFloat = false;
    if (at < text.length() && text.charAt(at) == '.') {
      isFloat = true;
      at++;
      skipDigits();
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      int sign = at + 1 < text.length() && "+-".indexOf(text.charAt(at + 1)) >= 0 ? 1 : 0;
      if (isDigit(at + 1 + sign)) {
        isFloat = true;
        at += 1 + sign;
        skipDigits();
      }
    }
    if (at < text.length() && Names.isPart(text.charAt(at))) {
      throw error(at, "expected the end of a number, but got '" + text.charAt(at) + "'");
    }
    if (at - start > Limits.NUMBER_LENGTH) {
      throw error(
          start,
          "a number has at most " + Limits.NUMBER_LENGTH + " characters, not " + (at - start));
    }
    add(isFloat ? Kind.FLOAT : Kind.INTEGER, start, text.substring(start, at));
  }

  private void skipDigits() {
    while (isDigit(at)) {
      at++;
    }
  }

  private void readString(int start, char quote) {
    StringBuilder value = new StringBuilder();
    at++;
    while (true) {
      if (at == text.length() || text.charAt(at) == '\n') {
        throw error(start, "the string has no closing " + quote + " in this line");
      }
      char c = text.charAt(at++);
      if (c == quote) {
        break;
      }
      value.append(c == '\\' ? readEscape() : c);
    }
    add(Kind.STRING, start, value.toString());
  }

  private char readEscape() {
    char c = at < text.length() ? text.charAt(at) : '\n';
    int digits =
        switch (c) {
          case 'u' -> 4;
          case 'x' -> 2;
          default -> 0;
        };
    if (digits > 0 && at + digits < text.length()) {
      String hex = text.substring(at + 1, at + 1 + digits);
      if (hex.matches("[0-9a-fA-F]+")) {
        at += 1 + digits;
        return (char) Integer.parseInt(hex, 16);
      }
    }
    at++;
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '0' -> '\0';
      case '\\', '"', '\'' -> c;
      default ->
          throw error(
              at - 2,
              "unknown escape in a string\n  what there is: \\n \\r \\t \\0 \\\\ \\\" \\' \\xNN"
                  + " \\uNNNN");
    };
  }

  private void readSymbol(int start, char c) {
    for (String symbol : LONG_SYMBOLS) {
      if (text.startsWith(symbol, start)) {
        at += symbol.length();
        add(Kind.SYMBOL, start, symbol);
        return;
      }
    }
    if (SYMBOLS.indexOf(c) < 0) {
      String shown =
          c > ' ' && c < 127 ? "'" + c + "'" : String.format("the character U+%04X", (int) c);
      throw error(start, "expected a word, number or operator, but got " + shown);
    }
    if ("([{".indexOf(c) >= 0) {
      brackets++;
    } else if (")]}".indexOf(c) >= 0) {
      brackets = Math.max(0, brackets - 1);
    }
    at++;
    add(Kind.SYMBOL, start, String.valueOf(c));
  }

  private void add(Kind kind, int offset, String value) {
    if (tokens.size() == Limits.TOKENS) {
      throw error(offset, "a text has at most " + Limits.TOKENS + " words and symbols");
    }
    tokens.add(new Token(kind, string == null ? offset : string.offset(), value));
  }
}
