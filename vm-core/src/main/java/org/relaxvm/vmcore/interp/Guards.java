package org.relaxvm.vmcore.interp;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Errors that end a call while it runs. */
final class Guards {
  private Guards() {}

  /**
   * The call of a function would need one frame too many.
   *
   * @param frame its number, from 1 on
   */
  static CallException tooDeep(String function, long frame, CallLimits limits) {
    return new CallException(
        ErrorKind.RUNTIME,
        "the call of function "
            + function
            + " would be frame "
            + frame
            + ", but the limit is "
            + limits.maxDepth()
            + " frames\n  if the recursion is meant to be this deep, raise the limit with"
            + " limits(Limits.defaults().withMaxDepth(n)) on the virtual machine's builder");
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
