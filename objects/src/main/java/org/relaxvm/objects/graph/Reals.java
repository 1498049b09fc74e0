package org.relaxvm.objects.graph;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Floating-point numbers as the original writes them. */
final class Reals {
  private static final double EXACT = 1L << 53;
  private static final int DIGITS = 17;
  private static final int LEAST_EXPONENT = -4;

  private Reals() {}

  /**
   * The text of a number: with one decimal where it is a small integer, else with 17 significant
   * digits as C's {@code %.17g}.
   */
  static String text(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "Infinity" : "-Infinity";
    }
    if (value == Math.rint(value) && Math.abs(value) < EXACT) {
      return (value == 0 && 1 / value < 0 ? "-0" : Long.toString((long) value)) + ".0";
    }
    BigDecimal rounded =
        new BigDecimal(value)
            .round(new MathContext(DIGITS, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= LEAST_EXPONENT && exponent < DIGITS) {
      return rounded.toPlainString();
    }
    String digits = rounded.unscaledValue().abs().toString();
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + String.format("e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
