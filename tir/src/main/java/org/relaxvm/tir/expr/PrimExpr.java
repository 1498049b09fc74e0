package org.relaxvm.tir.expr;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * A scalar expression. All are immutable; two are equal when they are the same tree, with {@link
 * Var} and {@link Buffer} compared by identity.
 *
 * <p>Integers of every width wrap around. Floats narrower than 64 bits are rounded after each
 * operation. Source: docs/spec/relax-ir.md, section 2.
 */
public sealed interface PrimExpr
    permits IntImm, FloatImm, Var, Binary, Not, Select, Cast, BufferLoad, Call {
  /** The type of the value: one scalar, {@code bool} included. */
  DType dtype();

  /** The expressions that this one is made of, in the order of evaluation. */
  default List<PrimExpr> operands() {
    return List.of();
  }

  /**
   * The same expression of other operands, as they are: {@link Exprs#rebuild} also folds constants.
   *
   * @param operands as many as {@link #operands()}, of the same dtypes
   */
  default PrimExpr withOperands(List<PrimExpr> operands) {
    return this;
  }
}
