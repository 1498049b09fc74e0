package org.relaxvm.backendcpu.jit.run;

/** Why code ended early. The failure slots of its block hold the values. */
public sealed interface Failure {
  /**
   * An index is not within its axis. The first slot is the index, the second one the extent.
   *
   * @param what of messages: the buffer, the axis, whether it is read or written
   */
  record OutOfBounds(String what) implements Failure {}

  /** An integer is divided by 0. There are no values. */
  record DivisionByZero() implements Failure {}
}
