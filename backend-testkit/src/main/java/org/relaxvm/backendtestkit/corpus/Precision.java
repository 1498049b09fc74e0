package org.relaxvm.backendtestkit.corpus;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;

/**
 * Bounds of what a formula gives. They tell whether its rounding, and so the order of its sums, can
 * be seen. Infinities and NaN are not counted: they are the same in any order.
 *
 * @param max of the absolute values
 * @param fraction how many bits there are after the point
 * @param error how far two ways to compute it may lie apart; 0 where they must agree
 */
record Precision(DType dtype, double max, int fraction, double error) {
  private static final double WORST_ERROR = 1e-3;
  private static final double LARGEST = 0x1p60;

  /** Of the arguments of kernels: small integers, and floats that are multiples of 1/4. */
  static Precision ofInput(DType dtype) {
    return new Precision(dtype, 16, dtype.isFloat() ? 2 : 0, 0);
  }

  boolean isExact() {
    return error == 0;
  }

  /** Whether results can be told from wrong ones. */
  boolean isUsable() {
    return error <= WORST_ERROR && max <= LARGEST;
  }

  Precision plus(Precision other) {
    return rounded(max + other.max, Math.max(fraction, other.fraction), error + other.error, 0);
  }

  Precision times(Precision other) {
    return rounded(
        max * other.max,
        fraction + other.fraction,
        error * other.max + max * other.error + error * other.error,
        0);
  }

  /** Of one of two values. */
  Precision or(Precision other) {
    return new Precision(
        dtype,
        Math.max(max, other.max),
        Math.max(fraction, other.fraction),
        Math.max(error, other.error));
  }

  /** Of a sum in any order. */
  Precision sum(long count) {
    return rounded(max * count, fraction, error * count, count);
  }

  /** Of a function whose slope is at most 1, with results up to a bound. */
  Precision through(double bound) {
    return new Precision(dtype, bound, fraction, error + bound * 32 * unit());
  }

  /** Of a value that may be anything of its dtype. */
  Precision anything() {
    return dtype.isFloat()
        ? this
        : new Precision(dtype, Math.scalb(1.0, dtype.bits()), fraction, error);
  }

  Precision as(DType target) {
    if (!target.isFloat()) {
      return new Precision(target, Math.min(max, Math.scalb(1.0, target.bits())), 0, 0);
    }
    Precision there = new Precision(target, max, fraction, error);
    return there.rounded(max, fraction, error, 0);
  }

  private double unit() {
    return dtype.equals(DType.FLOAT64) ? 0x1p-53 : 0x1p-24;
  }

  private Precision rounded(double newMax, int newFraction, double newError, long sums) {
    if (DTypes.isIntegral(dtype)) {
      return new Precision(dtype, Math.min(newMax, Math.scalb(1.0, dtype.bits())), 0, 0);
    }
    boolean fits = Math.scalb(newMax, newFraction) <= 1 / unit();
    double rounding = fits ? 0 : newMax * unit() * 2 * Math.max(1, sums);
    return new Precision(dtype, newMax, newFraction, newError + rounding);
  }

  /** How far results may be from each other. */
  Tolerance tolerance() {
    if (isExact()) {
      return Tolerance.EXACT;
    }
    Tolerance reordered = new Tolerance(1e-5, 0, "sums may be in another order");
    return new Tolerance(1e-5, error / reordered.relative(dtype), reordered.reason());
  }
}
