package org.relaxvm.tir.scalar;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Rounds doubles to narrower floats: to the nearest, ties to even, once. What is too large becomes
 * infinite, or NaN where a dtype has no infinities; NaN stays NaN, 0 keeps its sign.
 */
public final class FloatRounding {
  private static final double FLOAT16_MAX = 65504;
  private static final double BFLOAT16_MAX = 0x1.FEp127;
  private static final double FLOAT8_E4M3FN_MAX = 448;
  private static final double FLOAT8_E5M2_MAX = 57344;

  private FloatRounding() {}

  /**
   * The nearest number of a floating-point dtype.
   *
   * @throws CallException a {@code TypeError} for another dtype
   */
  public static double round(DType dtype, double value) {
    if (dtype.equals(DType.FLOAT8_E4M3FN)) {
      return toFloat8E4m3fn(value);
    }
    if (dtype.equals(DType.FLOAT8_E5M2)) {
      return toFloat8E5m2(value);
    }
    if (dtype.code() == TypeCode.BFLOAT && dtype.bits() == 16) {
      return toBfloat16(value);
    }
    if (dtype.code() == TypeCode.FLOAT) {
      switch (dtype.bits()) {
        case 16 -> {
          return toFloat16(value);
        }
        case 32 -> {
          return (float) value;
        }
        case 64 -> {
          return value;
        }
        default -> {}
      }
    }
    throw new CallException(
        ErrorKind.TYPE, "cannot round to dtype " + dtype + ", which is no float");
  }

  /** The nearest float16: 11 bits. */
  public static double toFloat16(double value) {
    return round(value, 11, -14, FLOAT16_MAX);
  }

  /** The nearest bfloat16: 8 bits, and the exponents of float32. */
  public static double toBfloat16(double value) {
    return round(value, 8, Float.MIN_EXPONENT, BFLOAT16_MAX);
  }

  /** The nearest float8_e4m3fn: 4 bits; NaN for what is too large. */
  public static double toFloat8E4m3fn(double value) {
    double rounded = round(value, 4, -6, FLOAT8_E4M3FN_MAX);
    return Double.isInfinite(rounded) ? Double.NaN : rounded;
  }

  /** The nearest float8_e5m2: 3 bits, and the exponents of float16. */
  public static double toFloat8E5m2(double value) {
    return round(value, 3, -14, FLOAT8_E5M2_MAX);
  }

  private static double round(double value, int precision, int minExponent, double max) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return value;
    }
    // In steps of the last bit, numbers of the dtype are integers.
    int lastBit = Math.max(Math.getExponent(value), minExponent) - (precision - 1);
    double rounded = Math.scalb(Math.rint(Math.scalb(value, -lastBit)), lastBit);
    return Math.abs(rounded) > max ? Math.copySign(Double.POSITIVE_INFINITY, value) : rounded;
  }
}
