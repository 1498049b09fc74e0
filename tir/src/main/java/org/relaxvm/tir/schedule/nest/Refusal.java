package org.relaxvm.tir.schedule.nest;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** Says that a primitive cannot do what it is asked for. */
public final class Refusal {
  private Refusal() {}

  /**
   * The error to throw.
   *
   * @param what the primitive was asked for: {@code to fuse the loops over i and j}
   * @param why that would change what the kernel computes
   */
  public static InvalidProgramException of(String what, String why) {
    return new InvalidProgramException(ErrorKind.VALUE, what + " is not legal: " + why);
  }
}
