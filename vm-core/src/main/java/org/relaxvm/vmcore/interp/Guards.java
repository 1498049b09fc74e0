package org.relaxvm.vmcore.interp;

import org.relaxvm.api.CallArgs;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Conditions that end a call while it runs. */
final class Guards {
  private Guards() {}

  /** Whether a branch goes on: the condition, an integer or a boolean, is not 0. */
  static boolean condition(CallArgs operand) {
    Object ref = operand.ref(0);
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return operand.bits(0) != 0;
    }
    throw new CallException(
            ErrorKind.TYPE, "a condition must be an integer, but is " + TypeKeys.describe(ref))
        .withTvmMessage("Cannot convert from type `" + TypeKeys.of(ref) + "` to `int`");
  }

  /** Ends the call of an interrupted thread, whose interrupt status stays set. */
  static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CallException(
          ErrorKind.RUNTIME, "the call was interrupted: the thread's interrupt status is set");
    }
  }

  static CallException instructionsUsedUp(CallLimits limits) {
    return new CallException(
        ErrorKind.RUNTIME,
        "the call executed more than "
            + limits.maxInstructions()
            + " instructions, which is the limit\n"
            + "  what to do: raise it with limits(Limits.defaults().withMaxInstructions(n)) on the"
            + " virtual machine's builder; 0 means no limit");
  }
}
