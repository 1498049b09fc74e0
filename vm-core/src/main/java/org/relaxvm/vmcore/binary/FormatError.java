package org.relaxvm.vmcore.binary;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * The form of every message about a malformed file: the problem, then where, what was expected,
 * what is there, and what to do.
 */
public final class FormatError {
  private FormatError() {}

  /**
   * The error: a {@code ValueError}, but an {@code InternalError} where Apache TVM reports the
   * problem, for that is the kind that TVM gives it.
   *
   * @param offset the byte in the file that shows the problem
   * @param location what was being read there
   */
  public static MalformedFileException of(
      FormatProblem problem,
      long offset,
      String location,
      String expected,
      String got,
      String remedy) {
    String tvmMessage = problem.tvmMessage();
    String text =
        problem.text()
            + "\n  at byte "
            + offset
            + " (0x"
            + Long.toHexString(offset)
            + "), "
            + location
            + "\n  expected: "
            + expected
            + "\n  got: "
            + got
            + "\n  what to do: "
            + remedy;
    return tvmMessage == null
        ? new MalformedFileException(ErrorKind.VALUE, text)
        : new MalformedFileException(ErrorKind.INTERNAL, text).withTvmMessage(tvmMessage);
  }
}
