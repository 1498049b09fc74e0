package org.relaxvm.cli.check;

import java.util.Optional;
import java.util.regex.Pattern;
import org.relaxvm.api.error.RelaxException;

/** Texts of errors as Apache TVM prints them, without the prefixes that its check macros add. */
public final class ErrorText {
  private static final Pattern CONDITION =
      Pattern.compile("^Check failed: \\(.*?\\) is false: ?", Pattern.DOTALL);
  private static final Pattern COMPARISON =
      Pattern.compile("^Check failed: .*? \\(.*? vs\\. .*?\\) : ", Pattern.DOTALL);

  private ErrorText() {}

  /**
   * Whether an error is the expected one: its kind, and Apache TVM's text without the prefix.
   *
   * @return what differs, or empty
   */
  public static Optional<String> difference(CaseRun.ExpectedError expected, RelaxException error) {
    String want = withoutPrefix(expected.message());
    String text = error.tvmMessage().orElse(error.summary());
    String firstLine = text.lines().findFirst().orElse("").strip();
    boolean sameText = text.strip().equals(want) || firstLine.equals(want);
    if (sameText && error.kind().text().equals(expected.kind())) {
      return Optional.empty();
    }
    return Optional.of(
        "expected " + expected.kind() + ": " + want + "\n but got " + error.kind() + ": " + text);
  }

  /** The text after a {@code Check failed} prefix; a text without one stays as it is. */
  static String withoutPrefix(String message) {
    String text = CONDITION.matcher(message).replaceFirst("");
    if (text.length() == message.length()) {
      text = COMPARISON.matcher(message).replaceFirst("");
    }
    return text.strip();
  }
}
