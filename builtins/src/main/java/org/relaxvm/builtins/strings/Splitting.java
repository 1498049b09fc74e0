package org.relaxvm.builtins.strings;

import java.util.ArrayList;
import java.util.List;

/** Strings as their parts between delimiters. */
public final class Splitting {
  private Splitting() {}

  /**
   * The parts of a string.
   *
   * @param delimiter the empty string for any white space: then no part is empty
   * @param most delimiters at most, the last part has what follows them; negative for all
   */
  public static List<String> parts(String text, String delimiter, long most) {
    return delimiter.isEmpty() ? words(text, most) : between(text, delimiter, most);
  }

  private static List<String> between(String text, String delimiter, long most) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    int at = text.indexOf(delimiter);
    while (at >= 0 && (most < 0 || parts.size() < most)) {
      parts.add(text.substring(from, at));
      from = at + delimiter.length();
      at = text.indexOf(delimiter, from);
    }
    parts.add(text.substring(from));
    return parts;
  }

  private static List<String> words(String text, long most) {
    List<String> parts = new ArrayList<>();
    int at = afterSpace(text, 0);
    while (at < text.length()) {
      int end = at;
      while (end < text.length() && !isSpace(text.charAt(end))) {
        end++;
      }
      boolean isLast = most >= 0 && parts.size() == most;
      parts.add(text.substring(at, isLast ? text.length() : end));
      at = isLast ? text.length() : afterSpace(text, end);
    }
    return parts;
  }

  private static int afterSpace(String text, int from) {
    int at = from;
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }
}
