package org.relaxvm.vmcore.text;

/** Names and strings as program text. */
final class Quoting {
  private Quoting() {}

  /** The text in quotes, with escapes for quotes, backslashes, controls and lone surrogates. */
  static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (needsEscape(text, i)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }

  /** The name as it is when that is readable, else in quotes. */
  static String name(String name) {
    return isPlainName(name) ? name : quote(name);
  }

  static boolean isPlainName(String name) {
    if (name.isEmpty() || !isNameStart(name.charAt(0))) {
      return false;
    }
    return name.chars().allMatch(c -> isNamePart((char) c));
  }

  static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isNamePart(char c) {
    return isNameStart(c) || (c >= '0' && c <= '9') || c == '.' || c == '$';
  }

  private static boolean needsEscape(String text, int index) {
    char c = text.charAt(index);
    if (Character.isHighSurrogate(c)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
    }
    return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
  }
}
