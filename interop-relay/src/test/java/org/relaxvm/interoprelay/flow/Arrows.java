package org.relaxvm.interoprelay.flow;

import java.util.Arrays;
import java.util.List;

/**
 * A function as the test writes it: one string per instruction, with the targets of its jumps, and
 * {@code .} for one that goes on at the next.
 */
record Arrows(List<String> instructions) implements InstructionFlow {
  static ControlFlow flow(String... instructions) {
    return ControlFlow.of(new Arrows(List.of(instructions)));
  }

  @Override
  public int count() {
    return instructions.size();
  }

  @Override
  public int[] targets(int instruction) {
    return Arrays.stream(instructions.get(instruction).split(" "))
        .filter(word -> !word.equals(".") && !word.isEmpty())
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  @Override
  public boolean fallsThrough(int instruction) {
    return instructions.get(instruction).startsWith(".");
  }
}
