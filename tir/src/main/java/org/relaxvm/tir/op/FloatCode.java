package org.relaxvm.tir.op;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/**
 * Formats of floating-point numbers of at most 8 bits that kernels read and write as codes in
 * uint8.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why does the kernel IR have no dtypes of less than 8 bits?"
 */
public enum FloatCode {
  /** 1 bit of fraction, bias 1, neither infinities nor NaN; the largest is 6. */
  E2M1FN(new DType(TypeCode.FLOAT4_E2M1FN, 4, 1), 1, 1, 0x7),
  /** 3 bits of fraction, bias 8, no infinities and no negative zero, whose code is NaN. */
  E4M3FNUZ(new DType(TypeCode.FLOAT8_E4M3FNUZ, 8, 1), 3, 8, 0x7F),
  /** 2 bits of fraction, bias 16, no infinities and no negative zero, whose code is NaN. */
  E5M2FNUZ(new DType(TypeCode.FLOAT8_E5M2FNUZ, 8, 1), 2, 16, 0x7F),
  /** Powers of two from 2^-127 to 2^127; the last code is NaN. */
  E8M0FNU(new DType(TypeCode.FLOAT8_E8M0FNU, 8, 1), 0, 127, 0xFE);

  private final DType dtype;
  private final int fraction;
  private final int bias;
  private final int largest;

  FloatCode(DType dtype, int fraction, int bias, int largest) {
    this.dtype = dtype;
    this.fraction = fraction;
    this.bias = bias;
    this.largest = largest;
  }

  /** The format of a dtype; empty for other dtypes. */
  public static Optional<FloatCode> of(DType dtype) {
    for (FloatCode format : values()) {
      if (format.dtype.equals(dtype)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** The dtype of tensors of these numbers. */
  public DType dtype() {
    return dtype;
  }

  /** Bits of fraction. */
  int fraction() {
    return fraction;
  }

  /** What is subtracted from the exponent. */
  int bias() {
    return bias;
  }

  /** The code of the largest number. */
  int largest() {
    return largest;
  }

  /** How many codes there are. */
  public int count() {
    return 1 << dtype.bits();
  }

  /** The number of a code, which a float32 holds exactly. */
  public float value(int code) {
    if (this == E8M0FNU) {
      return code == 0xFF ? Float.NaN : (float) Math.scalb(1.0, code - bias);
    }
    int sign = count() / 2;
    if (this != E2M1FN && code == sign) {
      return Float.NaN;
    }
    int magnitude = code & (sign - 1);
    int exponent = magnitude >> fraction;
    int digits = magnitude & ((1 << fraction) - 1);
    int significand = exponent == 0 ? digits : digits + (1 << fraction);
    float value = Math.scalb((float) significand, Math.max(exponent, 1) - bias - fraction);
    return (code & sign) != 0 ? -value : value;
  }
}
