package org.relaxvm.tir.scalar;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;

/** All dtypes, and integers without bounds. */
final class AllDTypes {
  static final List<DType> FLOATS =
      List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
  static final List<DType> FLOATS8 = List.of(DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2);

  /** Those that are cast to and from, with those that nothing is computed with. */
  static final List<DType> STORED_FLOATS =
      Stream.concat(FLOATS8.stream(), FLOATS.stream()).toList();

  static final List<DType> INTEGERS =
      List.of(
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64);

  private AllDTypes() {}

  static BigInteger min(DType dtype) {
    return DTypes.isUnsigned(dtype)
        ? BigInteger.ZERO
        : BigInteger.ONE.shiftLeft(dtype.bits() - 1).negate();
  }

  static BigInteger max(DType dtype) {
    int bits = DTypes.isUnsigned(dtype) ? dtype.bits() : dtype.bits() - 1;
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  /** The number that a long stands for. */
  static BigInteger big(DType dtype, long value) {
    BigInteger big = BigInteger.valueOf(value);
    return DTypes.isUnsigned(dtype) && value < 0 ? big.add(BigInteger.ONE.shiftLeft(64)) : big;
  }

  /** The long that stands for a number after it has wrapped around. */
  static long wrapped(DType dtype, BigInteger value) {
    BigInteger size = BigInteger.ONE.shiftLeft(dtype.bits());
    BigInteger low = value.mod(size);
    return (low.compareTo(max(dtype)) > 0 ? low.subtract(size) : low).longValue();
  }

  /** Limits, their neighbours, 0 and small numbers. */
  static long[] edges(DType dtype) {
    long least = min(dtype).longValue();
    long most = max(dtype).longValue();
    LongStream all =
        LongStream.of(
            least, least + 1, most - 1, most, most / 2, most / 2 + 1, 0, 1, 2, 3, 5, 7, 13, 100);
    LongStream below = LongStream.of(-1, -2, -3, -7, -100).filter(x -> !DTypes.isUnsigned(dtype));
    return LongStream.concat(all, below).distinct().toArray();
  }
}
