package org.relaxvm.backendcpu.invocation;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** The errors that compiled code raises. */
public final class Failures {
  private Failures() {}

  /**
   * Checks an index.
   *
   * @param what the buffer and axis, for the message
   * @throws CallException an {@code IndexError} when it is outside of its extent
   */
  public static void checkIndex(long index, long extent, String what) {
    if (index < 0 || index >= extent) {
      throw outside(index, extent, what);
    }
  }

  /** What an exception of the JVM means that data of the caller made compiled code raise. */
  public static CallException of(RuntimeException raised) {
    return raised instanceof IndexOutOfBoundsException
        ? new CallException(
            ErrorKind.INDEX,
            "an index in the data is outside of the extent of the tensor that it refers to; indices"
                + " are 0 to the extent less 1",
            raised)
        : new CallException(ErrorKind.VALUE, "an integer is divided by 0", raised);
  }

  /**
   * The error of an index that is outside of its extent; {@code what} as in {@link #checkIndex}.
   */
  public static CallException outside(long index, long extent, String what) {
    return new CallException(
        ErrorKind.INDEX, what + ": the index " + index + " is outside of its extent " + extent);
  }
}
