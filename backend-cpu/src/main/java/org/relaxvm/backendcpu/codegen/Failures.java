package org.relaxvm.backendcpu.codegen;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** The errors that generated code raises. */
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

  private static CallException outside(long index, long extent, String what) {
    return new CallException(
        ErrorKind.INDEX, what + ": the index " + index + " is outside of its extent " + extent);
  }
}
