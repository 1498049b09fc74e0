package org.relaxvm.tir.op.image;

import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;

/** The weights of four elements in a curve through them. */
final class CubicWeights {
  private CubicWeights() {}

  /**
   * The weights of the elements at -1, 0, 1 and 2.
   *
   * @param t where the value is, from 0 to 1
   * @param a the parameter of the curve
   */
  static List<PrimExpr> of(PrimExpr t, double a) {
    return List.of(
        polynomial(t, 0, a, -2 * a, a),
        polynomial(t, 1, 0, -(a + 3), a + 2),
        polynomial(t, 0, -a, 2 * a + 3, -(a + 2)),
        polynomial(t, 0, 0, a, -a));
  }

  /** The value of a polynomial at {@code t}; coefficients in order of the powers. */
  static PrimExpr polynomial(PrimExpr t, double... coefficients) {
    PrimExpr value = Arith.like(t, coefficients[coefficients.length - 1]);
    for (int n = coefficients.length - 2; n >= 0; n--) {
      value = Exprs.add(Exprs.mul(value, t), Arith.like(t, coefficients[n]));
    }
    return value;
  }
}
