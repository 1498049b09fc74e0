package org.relaxvm.builtins.text;

import java.math.BigDecimal;

/** Floats as Python prints them: the shortest digits that give the number back. */
public final class PythonFloat {
  private PythonFloat() {}

  /** The number as {@code repr} prints it. */
  public static String repr(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (value == 0) {
      return Double.doubleToRawLongBits(value) < 0 ? "-0.0" : "0.0";
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent < -4 || exponent >= 16) {
      String digits = decimal.unscaledValue().abs().toString();
      String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
      String sign = value < 0 ? "-" : "";
      return String.format(
          "%s%c%se%c%02d",
          sign, digits.charAt(0), fraction, exponent < 0 ? '-' : '+', Math.abs(exponent));
    }
    String plain = decimal.toPlainString();
    return plain.contains(".") ? plain : plain + ".0";
  }
}
