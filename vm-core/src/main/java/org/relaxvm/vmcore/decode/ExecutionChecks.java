package org.relaxvm.vmcore.decode;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Checks that all tiers make while a program runs. Stateless. */
public final class ExecutionChecks {
  private ExecutionChecks() {}

  /**
   * Whether a branch goes on: the condition, an integer or a boolean, is not 0.
   *
   * @param ref the reference half of the condition
   * @param bits its scalar half
   * @throws CallException a {@code TypeError} for a value of another kind
   */
  public static boolean condition(@Nullable Object ref, long bits) {
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return bits != 0;
    }
    throw new CallException(
            ErrorKind.TYPE, "a condition must be an integer, but is " + TypeKeys.describe(ref))
        .withTvmMessage("Cannot convert from type `" + TypeKeys.of(ref) + "` to `int`");
  }

  /** Ends the call of an interrupted thread, whose interrupt status stays set. */
  public static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CallException(
          ErrorKind.RUNTIME, "the call was interrupted: the thread's interrupt status is set");
    }
  }
}
