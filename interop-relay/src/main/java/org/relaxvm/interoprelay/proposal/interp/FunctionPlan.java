package org.relaxvm.interoprelay.proposal.interp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoprelay.flow.BasicBlock;
import org.relaxvm.interoprelay.flow.ControlFlow;
import org.relaxvm.interoprelay.proposal.RelayFunction;
import org.relaxvm.interoprelay.proposal.RelayInstruction;
import org.relaxvm.interoprelay.proposal.RelayInstruction.Phi;
import org.relaxvm.interoprelay.proposal.RelayOperands;
import org.relaxvm.interoprelay.proposal.verify.VerifiedFunction;

/**
 * A function, and what happens to operands of Phis where control enters its blocks.
 *
 * @param function the function
 * @param registers size of the register file
 * @param entries by the first instruction of a block
 */
record FunctionPlan(RelayFunction function, int registers, Map<Integer, BlockEntry> entries) {

  /**
   * What happens when control enters a block.
   *
   * @param phis the Phis of this join, by their instructions
   * @param outdated operands of Phis whose definitions the block dominates: control is in front of
   *     them again
   */
  record BlockEntry(List<Integer> phis, List<Integer> outdated) {}

  static FunctionPlan of(VerifiedFunction verified) {
    List<RelayInstruction> code = verified.function().code();
    int registers = verified.function().params();
    Map<Integer, Integer> operands = new HashMap<>();
    for (int i = 0; i < code.size(); i++) {
      registers = Math.max(registers, RelayOperands.definition(code.get(i)) + 1);
      if (code.get(i) instanceof Phi phi) {
        operands.put(phi.first(), RelayOperands.NONE);
        operands.put(phi.second(), RelayOperands.NONE);
      }
    }
    for (int i = 0; i < code.size(); i++) {
      operands.replace(RelayOperands.definition(code.get(i)), i);
    }
    Map<Integer, BlockEntry> entries = new HashMap<>();
    ControlFlow flow = verified.flow();
    for (int block : flow.reversePostOrder()) {
      BlockEntry entry = entry(verified, flow.block(block), operands);
      if (!entry.phis().isEmpty() || !entry.outdated().isEmpty()) {
        entries.put(flow.block(block).first(), entry);
      }
    }
    return new FunctionPlan(verified.function(), registers, entries);
  }

  private static BlockEntry entry(
      VerifiedFunction verified, BasicBlock block, Map<Integer, Integer> operands) {
    List<Integer> phis = new ArrayList<>();
    verified
        .joins()
        .forEach(
            (phi, join) -> {
              if (join.block() == block.index()) {
                phis.add(phi);
              }
            });
    ControlFlow flow = verified.flow();
    List<Integer> outdated = new ArrayList<>();
    operands.forEach(
        (register, definition) -> {
          if (definition != RelayOperands.NONE
              && flow.dominates(block.index(), flow.blockOf(definition))) {
            outdated.add(register);
          }
        });
    return new BlockEntry(List.copyOf(phis), List.copyOf(outdated));
  }
}
