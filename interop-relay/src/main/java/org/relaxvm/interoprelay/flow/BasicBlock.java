package org.relaxvm.interoprelay.flow;

import java.util.List;

/**
 * Instructions that run one after the other: control enters at the first and leaves at the last.
 *
 * @param index in order of the instructions
 * @param first the first instruction
 * @param end the instruction after the last
 * @param successors blocks, without duplicates, in the order of {@link InstructionFlow#targets}
 * @param predecessors blocks, ascending, without duplicates; unreachable ones are left out
 * @param fallsOffEnd whether control can run past the end of the function here
 */
public record BasicBlock(
    int index,
    int first,
    int end,
    List<Integer> successors,
    List<Integer> predecessors,
    boolean fallsOffEnd) {
  /** Copies the lists. */
  public BasicBlock {
    successors = List.copyOf(successors);
    predecessors = List.copyOf(predecessors);
  }

  /** The last instruction. */
  public int last() {
    return end - 1;
  }
}
