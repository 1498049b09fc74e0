package org.relaxvm.interoprelay.proposal.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Kill;
import org.relaxvm.interoprelay.proposal.RelayOperands;

/** The registers that a Kill may have emptied, without a definition since. */
final class KilledRegisters {
  private final RelayFunction function;
  private final ControlFlow flow;
  private final List<BitSet> starts = new ArrayList<>();
  private final List<BitSet> ends = new ArrayList<>();

  KilledRegisters(RelayFunction function, ControlFlow flow) {
    this.function = function;
    this.flow = flow;
    for (int b = 0; b < flow.blocks().size(); b++) {
      starts.add(new BitSet());
      ends.add(new BitSet());
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int block : flow.reversePostOrder()) {
        changed |= update(block);
      }
    }
  }

  private boolean update(int block) {
    BitSet dead = starts.get(block);
    for (int from : flow.block(block).predecessors()) {
      dead.or(ends.get(from));
    }
    BitSet end = (BitSet) dead.clone();
    BasicBlock range = flow.block(block);
    for (int i = range.first(); i < range.end(); i++) {
      step(function.code().get(i), end);
    }
    boolean changed = !end.equals(ends.get(block));
    ends.set(block, end);
    return changed;
  }

  /** What one instruction changes. */
  static void step(RelayInstruction instruction, BitSet dead) {
    if (instruction instanceof Kill kill) {
      dead.set(kill.register());
    }
    int defined = RelayOperands.definition(instruction);
    if (defined != RelayOperands.NONE) {
      dead.clear(defined);
    }
  }

  /** Those at the start of a block; the caller may change the copy. */
  BitSet atStart(int block) {
    return (BitSet) starts.get(block).clone();
  }

  /** Those at the end of a block. */
  BitSet atEnd(int block) {
    return ends.get(block);
  }
}
