package org.relaxvm.interoponnx.operator.ml;

import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;

/**
 * The quantiles of the normal distribution: 0 and 1 give infinities, and what is outside of [0, 1]
 * gives NaN. A rational approximation for the middle and one for each tail; its relative error is
 * below 1.2e-9.
 */
final class Probit {
  private static final double TAIL = 0.02425;

  private static final double[] MIDDLE_TOP = {
    -39.69683028665376,
    220.9460984245205,
    -275.9285104469687,
    138.3577518672690,
    -30.66479806614716,
    2.506628277459239
  };
  private static final double[] MIDDLE_BOTTOM = {
    -54.47609879822406,
    161.5858368580409,
    -155.6989798598866,
    66.80131188771972,
    -13.28068155288572,
    1
  };
  private static final double[] TAIL_TOP = {
    -0.007784894002430293,
    -0.3223964580411365,
    -2.400758277161838,
    -2.549732539343734,
    4.374664141464968,
    2.938163982698783
  };
  private static final double[] TAIL_BOTTOM = {
    0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1
  };

  private final NodeContext node;
  private final DType dtype;

  private Probit(NodeContext node, DType dtype) {
    this.node = node;
    this.dtype = dtype;
  }

  static Expr of(NodeContext node, Expr p) {
    return new Probit(node, node.dtype(p)).quantile(p);
  }

  private Expr quantile(Expr p) {
    Expr other = node.emit(Ops.subtract(number(1), p));
    Expr low = tail(p);
    Expr high = node.emit(Ops.negative(tail(other)));
    Expr inner = node.emit(Ops.where(Ops.greater(other, number(TAIL)), middle(p), high));
    return node.emit(Ops.where(Ops.less(p, number(TAIL)), low, inner));
  }

  private Expr middle(Expr p) {
    Expr q = node.emit(Ops.subtract(p, number(0.5)));
    Expr r = node.emit(Ops.multiply(q, q));
    return node.emit(
        Ops.divide(Ops.multiply(q, polynomial(r, MIDDLE_TOP)), polynomial(r, MIDDLE_BOTTOM)));
  }

  /** The quantile of a small probability; the logarithm of a negative one is NaN. */
  private Expr tail(Expr p) {
    Expr q = node.emit(Ops.sqrt(Ops.multiply(Ops.log(p), number(-2))));
    Expr quotient = node.emit(Ops.divide(polynomial(q, TAIL_TOP), polynomial(q, TAIL_BOTTOM)));
    // Both polynomials are infinite at 0.
    Expr infinite = node.scalar(dtype, Double.NEGATIVE_INFINITY);
    return node.emit(Ops.where(Ops.equal(p, number(0)), infinite, quotient));
  }

  private Expr polynomial(Expr x, double[] coefficients) {
    Expr sum = node.emit(Ops.multiply(x, number(coefficients[0])));
    for (int i = 1; i < coefficients.length - 1; i++) {
      sum = node.emit(Ops.multiply(Ops.add(sum, number(coefficients[i])), x));
    }
    return node.emit(Ops.add(sum, number(coefficients[coefficients.length - 1])));
  }

  private Expr number(double value) {
    return Ops.scalar(dtype, value);
  }
}
