package org.relaxvm.tir.scalar;

import java.math.BigDecimal;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;

/** The numbers of a floating-point dtype, and the nearest one by comparing them all in effect. */
final class Grid {
  private Grid() {}

  /** The float of these bits, without the sign. */
  static double ofBits(DType dtype, long bits) {
    if (dtype.equals(DType.FLOAT64)) {
      return Double.longBitsToDouble(bits);
    }
    if (dtype.equals(DType.FLOAT32)) {
      return Float.intBitsToFloat((int) bits);
    }
    if (dtype.isFloat8()) {
      return Float8.of(dtype).orElseThrow().toFloat((byte) bits);
    }
    return dtype.equals(DType.FLOAT16)
        ? Float.float16ToFloat((short) bits)
        : Float.intBitsToFloat((int) bits << 16);
  }

  /** The bits of infinity, or of the NaN that a dtype without one has instead. */
  static long infinity(DType dtype) {
    if (dtype.isFloat8()) {
      return Float8.of(dtype).orElseThrow().beyond();
    }
    return dtype.equals(DType.FLOAT64)
        ? 0x7FF0_0000_0000_0000L
        : dtype.equals(DType.FLOAT32)
            ? 0x7F80_0000L
            : dtype.equals(DType.FLOAT16) ? 0x7C00 : 0x7F80;
  }

  /** The nearest number, ties to even bits; of 0 the one without a sign. */
  static double nearest(DType dtype, BigDecimal exact) {
    BigDecimal size = exact.abs();
    long low = 0;
    long high = infinity(dtype);
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (new BigDecimal(ofBits(dtype, middle)).compareTo(size) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    BigDecimal below = new BigDecimal(ofBits(dtype, low));
    // Where infinity would be, were there one exponent more.
    BigDecimal above =
        high == infinity(dtype)
            ? below.add(below.subtract(new BigDecimal(ofBits(dtype, low - 1))))
            : new BigDecimal(ofBits(dtype, high));
    int order = size.subtract(below).compareTo(above.subtract(size));
    long bits = order < 0 || (order == 0 && (low & 1) == 0) ? low : high;
    return exact.signum() < 0 ? -ofBits(dtype, bits) : ofBits(dtype, bits);
  }

  /** Zeros, denormals, ties, limits, infinities, NaN: all numbers of the dtype. */
  static double[] edges(DType dtype) {
    long top = infinity(dtype);
    long one = Long.numberOfTrailingZeros(top);
    long[] bits = {
      0, 1, 2, 3, (1L << one) - 1, 1L << one, (1L << one) + 1, top / 3, top - 2, top - 1, top
    };
    double[] others = {1, 1.5, 2, 3, 7, 10, 0.5, 0.125, FloatRounding.round(dtype, 0.1)};
    double[] edges = new double[2 * (bits.length + others.length) + 1];
    int n = 0;
    for (long b : bits) {
      edges[n++] = ofBits(dtype, b);
      edges[n++] = -ofBits(dtype, b);
    }
    for (double x : others) {
      edges[n++] = x;
      edges[n++] = -x;
    }
    edges[n] = Double.NaN;
    return edges;
  }
}
