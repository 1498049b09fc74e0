package org.relaxvm.compiler.op;

import org.relaxvm.compiler.ir.Expr;

/** Puts calls of kernels in the place of a call of an operator. */
@FunctionalInterface
public interface Legalizer {
  /**
   * What computes the same.
   *
   * @param call a typed call whose result and, where the operator needs it, arguments are of known
   *     shape and dtype
   */
  Expr legalize(OpCall call, KernelCalls kernels);
}
