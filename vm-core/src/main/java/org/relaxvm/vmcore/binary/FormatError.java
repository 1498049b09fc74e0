package org.relaxvm.vmcore.binary;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * The form of every message about a malformed file: the problem as Apache TVM words it, then where,
 * what was expected, what is there, and what to do.
 */
public final class FormatError {
  private FormatError() {}

  /**
   * The error.
   *
   * @param problem the first line
   * @param offset the byte in the file that shows the problem
   * @param place what was being read there
   */
  public static MalformedFileException of(
      String problem, long offset, String place, String expected, String got, String remedy) {
    return new MalformedFileException(
        ErrorKind.INTERNAL,
        problem
            + "\n  at byte "
            + offset
            + " (0x"
            + Long.toHexString(offset)
            + "), "
            + place
            + "\n  expected: "
            + expected
            + "\n  got: "
            + got
            + "\n  what to do: "
            + remedy);
  }
}
