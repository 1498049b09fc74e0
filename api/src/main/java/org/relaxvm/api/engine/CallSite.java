package org.relaxvm.api.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.ScalarTag;

/**
 * A call instruction: where each operand is, and the constants among the operands. Immutable and
 * thread-safe.
 */
public final class CallSite {
  private final int destination;
  private final int[] operands;
  private final @Nullable Object[] constantRefs;
  private final long[] constantBits;

  /**
   * A call instruction.
   *
   * @param destination the register that gets the result, or -1 where it is dropped
   * @param operands for each operand its register, or a negative number for a constant
   * @param constantRefs for each operand that is a constant its reference half: null, a {@link
   *     ScalarTag} or the value
   * @param constantBits for each operand that is a constant its scalar half
   */
  public CallSite(
      int destination, int[] operands, @Nullable Object[] constantRefs, long[] constantBits) {
    this.destination = destination;
    this.operands = operands.clone();
    this.constantRefs = constantRefs.clone();
    this.constantBits = constantBits.clone();
  }

  /** The register that gets the result, or -1. */
  public int destination() {
    return destination;
  }

  /** The number of operands. */
  public int count() {
    return operands.length;
  }

  /** Whether an operand is in a register. */
  public boolean isRegister(int index) {
    return operands[index] >= 0;
  }

  /** The register of an operand. */
  public int register(int index) {
    if (!isRegister(index)) {
      throw new IllegalArgumentException("operand " + index + " is a constant");
    }
    return operands[index];
  }

  /** Whether an operand is a constant integer or boolean. */
  public boolean isConstantInt(int index) {
    return !isRegister(index)
        && (constantRefs[index] == ScalarTag.INT || constantRefs[index] == ScalarTag.BOOL);
  }

  /** Whether operands from one index on are constant integers or booleans. */
  public boolean areConstantInts(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isConstantInt(i)) {
        return false;
      }
    }
    return true;
  }

  /** The scalar half of a constant operand; 0 of a register. */
  public long constantBits(int index) {
    return constantBits[index];
  }

  /** The value of a constant operand if it is of a class; null if it is anything else. */
  public <T> @Nullable T constant(int index, Class<T> type) {
    Object value = constantRefs[index];
    return type.isInstance(value) ? type.cast(value) : null;
  }

  /** Whether an operand is the constant null. */
  public boolean isConstantNull(int index) {
    return !isRegister(index) && constantRefs[index] == null;
  }

  /** The value of any operand, borrowed, a scalar boxed. */
  public @Nullable Object value(int index, @Nullable Object[] refs, long[] bits, int base) {
    int operand = operands[index];
    Object ref = operand >= 0 ? refs[base + operand] : constantRefs[index];
    return ref instanceof ScalarTag tag
        ? tag.box(operand >= 0 ? bits[base + operand] : constantBits[index])
        : ref;
  }

  @Override
  public String toString() {
    return "call with operands " + Arrays.toString(operands) + " to " + destination;
  }
}
