package org.relaxvm.backendcpu.element;

/** The inverse hyperbolic functions, exact near 0 too and without overflow of squares. */
final class InverseHyperbolic {
  /** From here on 1 is lost beside the square. */
  private static final double LARGE = 0x1p28;

  private static final double LN_2 = Math.log(2);

  private InverseHyperbolic() {}

  static double asinh(double x) {
    double size = Math.abs(x);
    double square = size * size;
    double result =
        size > LARGE
            ? Math.log(size) + LN_2
            : Math.log1p(size + square / (1 + Math.sqrt(1 + square)));
    return Math.copySign(result, x);
  }

  static double acosh(double x) {
    if (x < 1) {
      return Double.NaN;
    }
    double above = x - 1;
    return x > LARGE
        ? Math.log(x) + LN_2
        : Math.log1p(above + Math.sqrt(2 * above + above * above));
  }

  static double atanh(double x) {
    double size = Math.abs(x);
    return Math.copySign(0.5 * Math.log1p(2 * size / (1 - size)), x);
  }
}
