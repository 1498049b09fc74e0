package org.relaxvm.vmcore.program;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * A value for an option of a format, such as {@code batch=1} for {@code bind}. Immutable.
 *
 * @param option the name of a {@link FormatOption}
 * @param value in the form that the option has
 */
public record FormatSetting(String option, String value) {
  /**
   * What stands before the first {@code =} of the value.
   *
   * @throws InvalidProgramException a {@code ValueError} when nothing does
   */
  public String key() {
    return value.substring(0, separator());
  }

  /**
   * What stands after the first {@code =} of the value.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is no {@code =}
   */
  public String text() {
    return value.substring(separator() + 1);
  }

  private int separator() {
    int separator = value.indexOf('=');
    if (separator <= 0) {
      throw malformed("a name, '=' and a value");
    }
    return separator;
  }

  /**
   * The integer after the first {@code =} of the value.
   *
   * @throws InvalidProgramException a {@code ValueError} when it is none, or below {@code least}
   */
  public long number(long least) {
    String digits = text();
    try {
      long number = Long.parseLong(digits);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // It is reported in the same way as a number that is too small.
    }
    throw malformed("NAME=N with an integer N of at least " + least);
  }

  /** An error that says what the value should be. */
  public InvalidProgramException malformed(String expected) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "malformed value of the option '"
            + option
            + "'\n  expected: "
            + expected
            + "\n  got: "
            + value);
  }
}
