package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.MemoryLanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/** Functions of two elements where they are adjacent, or one operand has one for all. */
final class PairsInMemory {
  private PairsInMemory() {}

  /** How to compute runs of a sweep over the operands; null where there is no way. */
  static @Nullable MemoryRun of(
      BinaryOp op, Codec<?> codec, Operand a, Operand b, Operand out, Sweep sweep) {
    @Nullable MemoryLanes memory = codec.memory();
    int bytes = codec.bytes();
    if (memory == null || sweep.step(2) != bytes) {
      return null;
    }
    if (sweep.step(0) == bytes && sweep.step(1) == bytes) {
      return (at, count) ->
          memory.binary(op, a.memory(), at[0], b.memory(), at[1], out.memory(), at[2], count);
    }
    if (sweep.step(0) == bytes && sweep.step(1) == 0) {
      return (at, count) ->
          memory.binaryWithOne(
              op, a.memory(), at[0], b.memory(), at[1], out.memory(), at[2], count);
    }
    if (sweep.step(0) == 0 && sweep.step(1) == bytes && commutes(op)) {
      return (at, count) ->
          memory.binaryWithOne(
              op, b.memory(), at[1], a.memory(), at[0], out.memory(), at[2], count);
    }
    return null;
  }

  private static boolean commutes(BinaryOp op) {
    return switch (op) {
      case ADD, MULTIPLY, MAXIMUM, MINIMUM -> true;
      default -> false;
    };
  }
}
