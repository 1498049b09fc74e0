package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A position in a function that jumps aim at, before or after it is known where it is. Made by
 * {@link ExecBuilder#newLabel}; used by that builder only. Confined to one thread.
 */
public final class Label {
  private static final int UNPLACED = -1;

  private final FunctionInfo function;
  private final List<Integer> jumps = new ArrayList<>();
  private int target = UNPLACED;

  /** A label of a function whose entry was made for its body and is nobody else's. */
  Label(FunctionInfo function) {
    this.function = function;
  }

  @SuppressWarnings("ReferenceEquality") // entries of different builders may be equal
  boolean isOf(@Nullable FunctionInfo other) {
    return function == other;
  }

  boolean isPlaced() {
    return target != UNPLACED;
  }

  boolean isUsed() {
    return !jumps.isEmpty();
  }

  /** The distance from an instruction, or a placeholder until the label is placed. */
  long distanceFrom(int instruction, CodeBuffer code) {
    jumps.add(instruction);
    return isPlaced() ? target - instruction : code.instructionCount();
  }

  void place(int instruction, CodeBuffer code) {
    target = instruction;
    for (int jump : jumps) {
      code.patchJump(jump, target - jump);
    }
  }
}
