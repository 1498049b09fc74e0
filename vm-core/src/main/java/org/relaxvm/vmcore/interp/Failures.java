package org.relaxvm.vmcore.interp;

import java.util.List;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.decode.InstructionCodes;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.executable.InstructionText;
import org.relaxvm.vmcore.executable.SourceNodes;

/**
 * Says where in the program an error arose.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does releasing allocate no objects?"
 */
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
      located.addLocation(
          shown++ < RelaxException.MAX_LOCATIONS
              ? text(program, position) + dropped(stack.droppedBefore(depth))
              : "");
      position = stack.callPositionOf(depth);
    }
    return located;
  }

  private static String dropped(int frames) {
    return switch (frames) {
      case 0 -> "";
      case 1 -> " (a tail call dropped 1 frame before)";
      default -> " (tail calls dropped " + frames + " frames before)";
    };
  }

  private static String text(DecodedProgram program, int position) {
    Executable executable = program.executable();
    int pc = program.pcOf(position);
    List<String> nodes = program.sourceNodes().at(pc);
    return "function "
        + functionAt(executable, pc)
        + ", pc "
        + pc
        + ": "
        + InstructionText.compact(executable, pc)
        + (nodes.isEmpty() ? "" : ", node " + SourceNodes.text(nodes));
  }

  private static String functionAt(Executable executable, int pc) {
    for (FunctionInfo info : executable.functions()) {
      if (info.kind() == FunctionKind.VM && info.startInstr() <= pc && pc < info.endInstr()) {
        return info.name();
      }
    }
    throw new IllegalStateException("instruction " + pc + " belongs to no function");
  }

  private static CallException wrapped(RuntimeException error, DecodedProgram program, int ip) {
    int[] code = program.code();
    boolean isCall = InstructionCodes.isCall(code[ip]);
    String what = isCall ? program.functionName(code[ip + 2]) : "the interpreter";
    return new CallException(
        // What a function throws is its own failure; the interpreter's is a fault of RelaxVM.
        isCall ? ErrorKind.RUNTIME : ErrorKind.INTERNAL,
        // Not its message: the JVM throws some without one once the code is hot.
        what + " failed: " + error,
        error);
  }
}
