package org.relaxvm.cli.check;

import java.util.regex.Pattern;

/** Texts of errors as Apache TVM prints them, without the prefixes that its check macros add. */
final class ErrorText {
  private static final Pattern CONDITION =
      Pattern.compile("^Check failed: \\(.*?\\) is false: ?", Pattern.DOTALL);
  private static final Pattern COMPARISON =
      Pattern.compile("^Check failed: .*? \\(.*? vs\\. .*?\\) : ", Pattern.DOTALL);

  private ErrorText() {}

  /** The text after a {@code Check failed} prefix; a text without one stays as it is. */
  static String withoutPrefix(String message) {
    String text = CONDITION.matcher(message).replaceFirst("");
    if (text.length() == message.length()) {
      text = COMPARISON.matcher(message).replaceFirst("");
    }
    return text.strip();
  }
}
