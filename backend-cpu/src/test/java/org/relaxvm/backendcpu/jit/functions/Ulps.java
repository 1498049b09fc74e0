package org.relaxvm.backendcpu.jit.functions;

import org.relaxvm.tir.expr.Intrinsic;

/** Distances in units of the last place of the true value. */
final class Ulps {
  private Ulps() {}

  /**
   * How far a result is off.
   *
   * @param truth to about 15 digits; a double
   * @param bits 32 or 64
   */
  static double between(double truth, double result, int bits) {
    double nearest = bits == 32 ? (float) truth : truth;
    if (Double.isNaN(truth) || Double.isNaN(result)) {
      return Double.isNaN(truth) && Double.isNaN(result) ? 0 : Double.POSITIVE_INFINITY;
    }
    if (Double.isInfinite(nearest) || Double.isInfinite(result)) {
      double largest = bits == 32 ? Float.MAX_VALUE : Double.MAX_VALUE;
      boolean isClose = Math.abs(nearest) >= largest && Math.abs(result) >= largest;
      return nearest == result
          ? 0
          : isClose && nearest < 0 == result < 0 ? 1 : Double.POSITIVE_INFINITY;
    }
    if (nearest == 0 && result == 0) {
      return Double.compare(nearest, result) == 0 ? 0 : Double.POSITIVE_INFINITY;
    }
    double ulp = bits == 32 ? Math.ulp((float) nearest) : Math.ulp(nearest);
    return Math.abs(truth - result) / ulp;
  }

  /** What {@code docs/benchmarks.md} states; of float64 one more, by which the truth may be off. */
  static double bound(Intrinsic op, int bits) {
    return switch (op) {
      case EXP -> bits == 32 ? 1 : 2.2;
      case LOG -> bits == 32 ? 1 : 2;
      case SQRT -> 0.5;
      case RSQRT -> bits == 32 ? 1.6 : 2;
      case TANH -> bits == 32 ? 1.5 : 2.5;
      case SIGMOID -> bits == 32 ? 2 : 3.4;
      case ERF -> bits == 32 ? 1.2 : 12;
      case SIN -> bits == 32 ? 0.51 : 2.4;
      case COS -> bits == 32 ? 0.51 : 2.6;
      case TAN -> bits == 32 ? 0.51 : 3.6;
      case ASIN, ACOS -> bits == 32 ? 0.51 : 2.4;
      case ATAN, ATAN2 -> bits == 32 ? 0.51 : 3;
      case SINH, COSH -> bits == 32 ? 0.51 : 3;
      case ASINH -> bits == 32 ? 0.51 : 3.2;
      case ACOSH, ATANH -> bits == 32 ? 0.51 : 4;
      case POW -> bits == 32 ? 0.501 : 1.9;
      case CEIL, FLOOR, NEARBYINT, TRUNC, ABS, ISNAN, ISINF, ISFINITE -> 0;
      default -> throw new IllegalArgumentException(op + " is no function of floats");
    };
  }
}
