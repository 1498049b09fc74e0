package org.relaxvm.interoprelay.translate.release;

import java.util.List;
import org.relaxvm.interoprelay.flow.InstructionFlow;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;

/** Where control goes in the code of a released function. */
record ReleasedFlow(List<ReleasedInstruction> code) implements InstructionFlow {
  @Override
  public int count() {
    return code.size();
  }

  @Override
  public int[] targets(int instruction) {
    return switch (code.get(instruction)) {
      case If(int _, int _, int ifTrue, int ifFalse) ->
          new int[] {instruction + ifTrue, instruction + ifFalse};
      case Goto(int offset) -> new int[] {instruction + offset};
      default -> new int[0];
    };
  }

  @Override
  public boolean fallsThrough(int instruction) {
    return switch (code.get(instruction)) {
      case If _, Goto _, Ret _, Fatal _ -> false;
      default -> true;
    };
  }
}
