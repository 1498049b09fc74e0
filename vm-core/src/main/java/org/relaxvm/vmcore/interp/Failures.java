package org.relaxvm.vmcore.interp;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;

/** Says where in the program an error arose. */
final class Failures {
  private Failures() {}

  /** The error with the instructions of all frames, innermost first; others are wrapped. */
  static RelaxException located(
      RuntimeException error, DecodedProgram program, RunStack stack, int ip) {
    RelaxException located =
        error instanceof RelaxException relax ? relax : wrapped(error, program, ip);
    int position = ip;
    int shown = located.locations().size();
    for (int depth = stack.depth(); depth > 0; depth--) {
      // Beyond those that a message shows they are only counted.
      located.addLocation(shown++ < RelaxException.MAX_LOCATIONS ? text(program, position) : "");
      position = stack.callPositionOf(depth);
    }
    return located;
  }

  private static String text(DecodedProgram program, int position) {
    return InstructionText.location(program.executable(), program.pcOf(position));
  }

  private static CallException wrapped(RuntimeException error, DecodedProgram program, int ip) {
    int[] code = program.code();
    boolean isCall = code[ip] <= InstructionCodes.CALL_CLOSURE;
    String what = isCall ? program.functionName(code[ip + 2]) : "the interpreter";
    return new CallException(
        ErrorKind.INTERNAL,
        what + " failed: " + error.getClass().getName() + ": " + error.getMessage(),
        error);
  }
}
