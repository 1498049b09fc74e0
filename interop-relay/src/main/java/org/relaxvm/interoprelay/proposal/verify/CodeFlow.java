package org.relaxvm.interoprelay.proposal.verify;

import java.util.List;
import org.relaxvm.interoprelay.flow.InstructionFlow;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Fatal;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Goto;
import org.relaxvm.interoprelay.proposal.RelayInstruction.If;
import org.relaxvm.interoprelay.proposal.RelayInstruction.IfEq;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Ret;
import org.relaxvm.interoprelay.proposal.RelayInstruction.TailInvoke;

/** Where control goes in the code of a Relay function. */
record CodeFlow(List<RelayInstruction> code) implements InstructionFlow {
  private static final int[] NO_OFFSETS = {};

  @Override
  public int count() {
    return code.size();
  }

  @Override
  public int[] targets(int instruction) {
    int[] targets = offsets(code.get(instruction)).clone();
    for (int i = 0; i < targets.length; i++) {
      targets[i] += instruction;
    }
    return targets;
  }

  @Override
  public boolean fallsThrough(int instruction) {
    return switch (code.get(instruction)) {
      case If _, IfEq _, Goto _, Ret _, TailInvoke _, Fatal _ -> false;
      default -> true;
    };
  }

  /** The offsets at which control can go on, where an instruction has some. */
  static int[] offsets(RelayInstruction instruction) {
    return switch (instruction) {
      case If i -> new int[] {i.ifTrue(), i.ifFalse()};
      case IfEq i -> new int[] {i.ifTrue(), i.ifFalse()};
      case Goto i -> new int[] {i.offset()};
      default -> NO_OFFSETS;
    };
  }
}
