package org.relaxvm.tir.scalar;

/** Inverse hyperbolic functions by logarithms, exact near 0 and without overflow of squares. */
final class InverseHyperbolic {
  /** From here on, {@code x * x + 1} rounds to {@code x * x}. */
  private static final double LARGE = 0x1p28;

  private static final double LN_2 = StrictMath.log(2);

  private InverseHyperbolic() {}

  static double asinh(double x) {
    double size = Math.abs(x);
    if (size > LARGE) {
      return Math.copySign(StrictMath.log(size) + LN_2, x);
    }
    double square = size * size;
    double above = square / (1 + StrictMath.sqrt(1 + square));
    return Math.copySign(StrictMath.log1p(size + above), x);
  }

  static double acosh(double x) {
    if (x < 1) {
      return Double.NaN;
    }
    if (x > LARGE) {
      return StrictMath.log(x) + LN_2;
    }
    double above = x - 1;
    return StrictMath.log1p(above + StrictMath.sqrt(above * (x + 1)));
  }

  static double atanh(double x) {
    double size = Math.abs(x);
    return Math.copySign(StrictMath.log1p(2 * size / (1 - size)) / 2, x);
  }
}
