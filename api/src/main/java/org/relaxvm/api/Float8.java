package org.relaxvm.api;

import java.util.Optional;

/**
 * The floats of one byte that elements may be, and how floats become such bytes and back.
 *
 * <p>A byte is a sign, an exponent and a fraction; exponent 0 is for numbers below the smallest
 * normal one. Converting rounds to nearest, ties to even, once. What is too large then does not
 * become the largest number but what the format has beyond it: infinity of {@link #E5M2}, not a
 * number of {@link #E4M3FN}. NumPy's {@code ml_dtypes} does the same, and with it constants that
 * Apache TVM folds; kernels that Apache TVM makes for CUDA give the largest number instead, as
 * NVIDIA's types do.
 *
 * <p>Source: OCP 8-bit Floating Point Specification 1.0, without saturation.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why is float8 stored and cast but not computed with?"
 */
public enum Float8 {
  /** Four bits of exponent, three of fraction, no infinities; the largest number is 448. */
  E4M3FN(DType.FLOAT8_E4M3FN, 3, 7, 0x7E, 0x7F),
  /** Five bits of exponent, two of fraction, infinities; the largest number is 57344. */
  E5M2(DType.FLOAT8_E5M2, 2, 15, 0x7B, 0x7E);

  private static final int FRACTION = 23;
  private static final int SIGNIFICAND = 1 << FRACTION;
  private static final int BIAS = 127;
  private static final int INFINITY = 0x7F80_0000;

  private final DType dtype;
  private final int fraction;
  private final int bias;
  private final int largest;
  private final int nan;

  Float8(DType dtype, int fraction, int bias, int largest, int nan) {
    this.dtype = dtype;
    this.fraction = fraction;
    this.bias = bias;
    this.largest = largest;
    this.nan = nan;
  }

  /** The format of a dtype, or empty when its elements are others. */
  public static Optional<Float8> of(DType dtype) {
    for (Float8 format : values()) {
      if (format.dtype.equals(dtype)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** The element type. */
  public DType dtype() {
    return dtype;
  }

  /** Bits of a fraction, without the one before the point. */
  public int fractionBits() {
    return fraction;
  }

  /** What is added to exponents. */
  public int bias() {
    return bias;
  }

  /** The byte of the largest number. */
  public int largest() {
    return largest;
  }

  /** The byte of what is not a number, without a sign. */
  public int nan() {
    return nan;
  }

  /** The byte of what is just larger than the largest number: infinity or not a number. */
  public int beyond() {
    return largest + 1;
  }

  /** The number that a byte stands for; a float holds every one of them. */
  public float toFloat(byte code) {
    int magnitude = code & 0x7F;
    int sign = (code & 0x80) << 24;
    if (magnitude > largest) {
      int special = magnitude == beyond() && beyond() != nan ? INFINITY : 0x7FC0_0000;
      return Float.intBitsToFloat(sign | special);
    }
    if (magnitude < 1 << fraction) {
      float value = Math.scalb((float) magnitude, 1 - bias - fraction);
      return sign != 0 ? -value : value;
    }
    int bits = (magnitude << (FRACTION - fraction)) + ((BIAS - bias) << FRACTION);
    return Float.intBitsToFloat(sign | bits);
  }

  /** The byte of the number nearest to a float; of what is not a number it keeps the sign only. */
  public byte ofFloat(float value) {
    int bits = Float.floatToRawIntBits(value);
    int sign = (bits >>> 24) & 0x80;
    int magnitude = bits & Integer.MAX_VALUE;
    if (magnitude > INFINITY) {
      return (byte) (sign | nan);
    }
    int exponent = magnitude >>> FRACTION;
    int lowest = BIAS + 1 - bias;
    int code;
    if (exponent < lowest) {
      // The bit before the point moves into the fraction; of what is far smaller nothing is left.
      int dropped = Math.min(FRACTION - fraction + lowest - exponent, FRACTION + 2);
      code = rounded((magnitude & (SIGNIFICAND - 1)) | SIGNIFICAND, dropped);
    } else {
      code = rounded(magnitude - ((BIAS - bias) << FRACTION), FRACTION - fraction);
    }
    return (byte) (sign | Math.min(code, beyond()));
  }

  /** Bits without the lowest ones, rounded to nearest, ties to even. */
  private static int rounded(int bits, int dropped) {
    return (bits + (1 << (dropped - 1)) - 1 + ((bits >>> dropped) & 1)) >>> dropped;
  }
}
