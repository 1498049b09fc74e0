package org.relaxvm.interoponnx.convert;

/** Identifiers of Relax IR for the names of a model, which may be any text. */
final class Names {
  private static final int LONGEST = 60;
  private static final int LONGEST_IN_MESSAGES = 500;

  private Names() {}

  /** A name in messages, without the middle where it is long. */
  static String abbreviated(String name) {
    int half = LONGEST_IN_MESSAGES / 2;
    return name.length() <= LONGEST_IN_MESSAGES
        ? name
        : name.substring(0, half) + "..." + name.substring(name.length() - half);
  }

  /**
   * A name without the characters that identifiers do not have.
   *
   * @param missing what to call it when nothing is left
   */
  static String identifier(String name, String missing) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < name.length() && text.length() < LONGEST; i++) {
      char c = name.charAt(i);
      boolean isPlain = c < 128 && (Character.isLetterOrDigit(c) || c == '_');
      if (isPlain) {
        text.append(c);
      } else if (!text.isEmpty() && text.charAt(text.length() - 1) != '_') {
        text.append('_');
      }
    }
    if (text.isEmpty() || text.chars().allMatch(c -> c == '_')) {
      return missing;
    }
    return Character.isDigit(text.charAt(0)) ? "_" + text : text.toString();
  }
}
