package org.relaxvm.tir.scalar;

/**
 * The error function, to within 1e-15 of its value: near 0 its Maclaurin series times {@code
 * exp(-x^2)}, which has terms of one sign, further out Laplace's continued fraction for what is
 * missing to 1.
 *
 * <p>Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14.
 */
final class ErrorFunction {
  private static final double SERIES_LIMIT = 2;

  /** From here on the nearest double is 1. */
  private static final double ONE_LIMIT = 6;

  private static final int SERIES_TERMS = 45;
  private static final int FRACTION_TERMS = 100;
  private static final double ROOT_PI = StrictMath.sqrt(StrictMath.PI);

  private ErrorFunction() {}

  static double erf(double x) {
    double size = Math.abs(x);
    if (size >= ONE_LIMIT) {
      return Math.copySign(1, x);
    }
    double value = size < SERIES_LIMIT ? series(size) : 1 - fraction(size);
    return Math.copySign(value, x);
  }

  private static double series(double x) {
    double twice = 2 * x * x;
    double sum = 1;
    for (int n = SERIES_TERMS; n > 0; n--) {
      sum = 1 + sum * twice / (2 * n + 1);
    }
    return 2 * x * (sum * gauss(x) / ROOT_PI);
  }

  private static double fraction(double x) {
    double tail = 0;
    for (int n = FRACTION_TERMS; n > 0; n--) {
      tail = n * 0.5 / (x + tail);
    }
    return gauss(x) / (ROOT_PI * (x + tail));
  }

  /** {@code exp(-x^2)}, with what the square loses to rounding. */
  private static double gauss(double x) {
    double square = x * x;
    double lost = Math.fma(x, x, -square);
    double value = StrictMath.exp(-square);
    return value - value * lost;
  }
}
