package org.relaxvm.integrationtests.programs;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A tensor of a random program.
 *
 * @param exact whether its elements are the same in whatever order they are computed: floats are
 *     integers then
 * @param bound what no magnitude of its elements exceeds, if they are floats
 * @param scale what errors of its elements are in proportion to: it grows with each bound on the
 *     way
 */
record Item(
    Expr expr, DType dtype, List<PrimExpr> dims, boolean exact, double bound, double scale) {
  /** Beyond it a float32 has not all integers. */
  private static final double EXACT = 1 << 22;

  private static final double USEFUL = 1e4;

  /** An item whose value is an expression that has a type. */
  static Item of(Expr expr, boolean exact, double bound, double scale) {
    TensorType type = (TensorType) expr.type();
    return new Item(
        expr,
        type.dtype().orElseThrow(),
        List.copyOf(type.dims().orElseThrow()),
        exact,
        bound,
        scale);
  }

  /** Whether errors would be so large that nothing can be said of the elements. */
  boolean isUseless() {
    return dtype.isFloat() && (exact ? bound > EXACT : scale > USEFUL);
  }

  int rank() {
    return dims.size();
  }

  boolean isFloat() {
    return dtype.isFloat();
  }

  boolean isTruth() {
    return dtype.equals(DType.BOOL);
  }
}
