package org.relaxvm.builtins.text;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Floats in one width: the digits that each needs, at most 8 after the point, with the points below
 * each other; in scientific form when the magnitudes are far apart. NumPy's rules.
 */
final class FloatColumn {
  private static final int PRECISION = 8;

  private FloatColumn() {}

  static String[] format(double[] values, boolean single) {
    boolean scientific = isScientific(values);
    String[] texts = new String[values.length];
    int fraction = 0;
    for (int i = 0; i < values.length; i++) {
      if (isFinite(values[i])) {
        texts[i] = scientific ? mantissa(values[i], single) : fixed(values[i], single);
        fraction = Math.max(fraction, texts[i].length() - texts[i].indexOf('.') - 1);
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (!isFinite(values[i])) {
        texts[i] = Double.isNaN(values[i]) ? "nan" : values[i] > 0 ? "inf" : "-inf";
      } else {
        int missing = fraction - (texts[i].length() - texts[i].indexOf('.') - 1);
        texts[i] +=
            scientific
                ? "0".repeat(missing) + exponentText(values[i], single)
                : " ".repeat(missing);
      }
    }
    return Columns.padLeft(texts);
  }

  private static boolean isScientific(double[] values) {
    double largest = 0;
    double smallest = Double.POSITIVE_INFINITY;
    for (double value : values) {
      if (isFinite(value) && value != 0) {
        largest = Math.max(largest, Math.abs(value));
        smallest = Math.min(smallest, Math.abs(value));
      }
    }
    return largest > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
  }

  private static String fixed(double value, boolean single) {
    BigDecimal rounded = shortest(value, single).setScale(PRECISION, RoundingMode.HALF_EVEN);
    return sign(value) + withPoint(rounded.abs());
  }

  private static String mantissa(double value, boolean single) {
    BigDecimal exact = shortest(value, single).abs();
    BigDecimal rounded =
        exact
            .movePointLeft(value == 0 ? 0 : exponent(exact))
            .setScale(PRECISION, RoundingMode.HALF_EVEN);
    return sign(value) + withPoint(rounded);
  }

  private static String exponentText(double value, boolean single) {
    int exponent = value == 0 ? 0 : exponent(shortest(value, single));
    return String.format("e%c%02d", exponent < 0 ? '-' : '+', Math.abs(exponent));
  }

  private static int exponent(BigDecimal value) {
    return value.precision() - value.scale() - 1;
  }

  private static String withPoint(BigDecimal value) {
    String plain = value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
    return plain.indexOf('.') >= 0 ? plain : plain + ".";
  }

  private static String sign(double value) {
    return Double.doubleToRawLongBits(value) < 0 ? "-" : "";
  }

  private static BigDecimal shortest(double value, boolean single) {
    return new BigDecimal(single ? Float.toString((float) value) : Double.toString(value));
  }

  private static boolean isFinite(double value) {
    return !Double.isNaN(value) && !Double.isInfinite(value);
  }
}
