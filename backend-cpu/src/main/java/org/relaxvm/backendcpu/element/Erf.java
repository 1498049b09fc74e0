package org.relaxvm.backendcpu.element;

/**
 * The error function to about 15 digits: the Maclaurin series of {@code erf(x) exp(x^2)}, whose
 * terms are all of one sign, near 0, and Laplace's continued fraction of {@code erfc} further out
 * (Abramowitz and Stegun, 7.1.6 and 7.1.14).
 */
final class Erf {
  private static final double SERIES_LIMIT = 2.5;
  private static final double TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);
  private static final int FRACTION_TERMS = 60;

  private Erf() {}

  static double erf(double x) {
    double size = Math.abs(x);
    double value = size < SERIES_LIMIT ? series(size) : 1 - fraction(size);
    return Math.copySign(value, x);
  }

  /** {@code 1 - erf(x)}, without losing digits where it is small. */
  static double erfc(double x) {
    if (x >= SERIES_LIMIT) {
      return fraction(x);
    }
    return x > -SERIES_LIMIT ? 1 - Math.copySign(series(Math.abs(x)), x) : 2 - fraction(-x);
  }

  private static double series(double x) {
    double term = x;
    double sum = x;
    for (int n = 1; term > sum * 1e-17; n++) {
      term *= 2 * x * x / (2 * n + 1);
      sum += term;
    }
    return TWO_OVER_ROOT_PI * Math.exp(-x * x) * sum;
  }

  private static double fraction(double x) {
    if (Double.isNaN(x) || x > 27) {
      return x > 27 ? 0 : x;
    }
    double tail = 0;
    for (int n = FRACTION_TERMS; n > 0; n--) {
      tail = n * 0.5 / (x + tail);
    }
    return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + tail));
  }
}
