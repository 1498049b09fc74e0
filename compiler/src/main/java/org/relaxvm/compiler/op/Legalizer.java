package org.relaxvm.compiler.op;

import org.relaxvm.compiler.ir.Expr;

/** Replaces a call of an operator by calls of kernels. */
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
