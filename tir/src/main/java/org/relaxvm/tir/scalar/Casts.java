package org.relaxvm.tir.scalar;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntegerMath;

/**
 * Values of one dtype as another, as {@link org.relaxvm.tir.expr.Cast} says. Integers are longs in
 * the range of their dtype; of {@code uint64} the same 64 bits. Floats are doubles.
 */
public final class Casts {
  /** Bits that a double holds. */
  private static final int PRECISION = 53;

  private Casts() {}

  /** An integer or boolean as another: its low bits, or whether it is not 0. */
  public static long integerToInteger(DType to, long value) {
    return to.equals(DType.BOOL) ? (value != 0 ? 1 : 0) : IntegerMath.wrap(to, value);
  }

  /** The float nearest to an integer, ties to even, rounded once. */
  public static double integerToFloat(DType from, DType to, long value) {
    boolean negative = value < 0 && !DTypes.isUnsigned(from);
    if (to.equals(DType.FLOAT64)) {
      // Halved, with the bit that decides ties: the exponent is all that changes.
      return value >= 0 || negative ? value : 2.0 * ((value >>> 1) | (value & 1));
    }
    double magnitude = roundedToOdd(negative ? -value : value);
    return FloatRounding.round(to, negative ? -magnitude : magnitude);
  }

  /**
   * The integer that a float is without its fraction, the nearest one where that is out of range, 0
   * for NaN; of {@code bool} whether it is not 0, as NaN is not.
   */
  public static long floatToInteger(DType to, double value) {
    if (to.equals(DType.BOOL)) {
      return value != 0 ? 1 : 0;
    }
    if (!DTypes.isUnsigned(to)) {
      long limit = Long.MAX_VALUE >> (Long.SIZE - to.bits());
      return Math.clamp((long) value, -limit - 1, limit);
    }
    if (to.bits() < Long.SIZE) {
      return Math.clamp((long) value, 0L, -1L >>> (Long.SIZE - to.bits()));
    }
    if (value >= 0x1p64) {
      return -1;
    }
    return value >= 0x1p63 ? (long) (value - 0x1p63) | Long.MIN_VALUE : (long) Math.max(value, 0);
  }

  /** A float as another. */
  public static double floatToFloat(DType to, double value) {
    return FloatRounding.round(to, value);
  }

  /**
   * An integer without a sign cut to the bits of a double, the last one set where others are lost:
   * then rounding to fewer bits knows that there was more.
   */
  private static double roundedToOdd(long magnitude) {
    int lost = Long.SIZE - PRECISION - Long.numberOfLeadingZeros(magnitude);
    if (lost <= 0) {
      return magnitude;
    }
    long kept = magnitude >>> lost;
    boolean exact = kept << lost == magnitude;
    return Math.scalb((double) (exact ? kept : kept | 1), lost);
  }
}
