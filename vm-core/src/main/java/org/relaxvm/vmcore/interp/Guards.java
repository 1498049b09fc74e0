package org.relaxvm.vmcore.interp;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Errors that end a call while it runs. */
final class Guards {
  private Guards() {}

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
