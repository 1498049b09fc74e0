package org.relaxvm.api.engine;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Arguments in registers and constants. An engine creates one empty view per run and points it at
 * its registers before each call, instead of creating a view per call.
 *
 * <p>Not thread-safe: used by the calling thread.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why is the view of the arguments moved and not created
 * per call?" and docs/rationale/api.md, "Why is `CallArgs` sealed?"
 */
public final class RegisterArgs extends CallArgs {
  private final @Nullable VmContext context;
  private @Nullable Object[] refs;
  private long[] bits;
  private int base;
  private @Nullable Object[] constantRefs = new Object[0];
  private long[] constantBits = new long[0];
  private int[] operands;
  private int first;
  private int count;

  /**
   * An empty view, for {@link #bind}.
   *
   * @param context what {@link #context()} gives to the functions called
   */
  public RegisterArgs(VmContext context) {
    this(context, new Object[0], new long[0], new int[0]);
  }

  /**
   * Arguments in arrays, without constants.
   *
   * @param refs reference halves, borrowed: null, a {@link ScalarTag} or the value
   * @param bits scalar halves; must be as many as {@code refs}
   * @param operands an index into the arrays for each argument
   */
  public RegisterArgs(
      @Nullable VmContext context, @Nullable Object[] refs, long[] bits, int[] operands) {
    this.context = context;
    this.refs = refs;
    this.bits = bits;
    this.operands = operands;
    this.count = operands.length;
  }

  /**
   * Points the view at registers. Operand {@code k >= 0} is register {@code base + k}, operand
   * {@code k < 0} is constant {@code ~k}.
   *
   * @param refs reference halves of the register file
   * @param bits scalar halves of the register file
   * @param base index of the frame's register 0
   * @param constantRefs reference halves of the function's constants
   * @param constantBits scalar halves of the function's constants
   * @param operands operands of many calls, one after the other
   * @param first index of this call's first operand
   * @param count number of this call's operands
   */
  public void bind(
      @Nullable Object[] refs,
      long[] bits,
      int base,
      @Nullable Object[] constantRefs,
      long[] constantBits,
      int[] operands,
      int first,
      int count) {
    this.refs = refs;
    this.bits = bits;
    this.base = base;
    this.constantRefs = constantRefs;
    this.constantBits = constantBits;
    this.operands = operands;
    this.first = first;
    this.count = count;
  }

  /**
   * Moves the view to another call over the same arrays: cheaper than binding again.
   *
   * @param base as for {@link #bind}
   * @param first as for {@link #bind}
   * @param count as for {@link #bind}
   */
  public void moveTo(int base, int first, int count) {
    this.base = base;
    this.first = first;
    this.count = count;
  }

  @Override
  public RegisterArgs dropFirst(int n) {
    if (n < 0 || n > count) {
      throw missing(n - 1);
    }
    RegisterArgs remaining = new RegisterArgs(context, refs, bits, operands);
    remaining.base = base;
    remaining.constantRefs = constantRefs;
    remaining.constantBits = constantBits;
    remaining.first = first + n;
    remaining.count = count - n;
    return remaining;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public @Nullable VmContext contextOrNull() {
    return context;
  }

  @Override
  public @Nullable Object ref(int index) {
    int operand = operands[checked(index)];
    return operand >= 0 ? refs[base + operand] : constantRefs[~operand];
  }

  @Override
  public long bits(int index) {
    int operand = operands[checked(index)];
    return operand >= 0 ? bits[base + operand] : constantBits[~operand];
  }

  private int checked(int index) {
    if (index < 0 || index >= count) {
      throw missing(index);
    }
    return first + index;
  }

  private CallException missing(int index) {
    return new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " is missing: the call has "
            + count
            + (count == 1 ? " argument" : " arguments"));
  }
}
