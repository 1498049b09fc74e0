package org.relaxvm.api.engine;

import org.jspecify.annotations.Nullable;

/**
 * The common case of a call instruction, specialized for its constant operands: it reads registers
 * and writes the result without a view of the arguments. Thread-safe.
 *
 * <p>Implementations are records, whose components the JIT compiler treats as constants where the
 * object is one.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why may a direct call decline?"
 */
@FunctionalInterface
public interface DirectCall {
  /**
   * Makes the call, or declines.
   *
   * @param refs reference halves of the registers
   * @param bits scalar halves of the registers
   * @param base index of the frame's register 0
   * @return whether the result is written; otherwise nothing has happened that a call by {@link
   *     org.relaxvm.api.PackedFunc#call}, which has to follow, does not do again
   * @throws org.relaxvm.api.error.CallException as the call by {@code PackedFunc.call} would
   */
  boolean call(@Nullable Object[] refs, long[] bits, int base);

  /**
   * The same call for an instruction after which the value in a register is not read again: the
   * result takes over the register's owner, and the register is null after the call. Where it
   * declines, the register keeps its value.
   *
   * @return null where the call can make nothing of that
   */
  default @Nullable DirectCall taking(int register) {
    return null;
  }
}
