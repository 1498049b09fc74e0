package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.D2L;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/**
 * Values of float64 as others. Those out of the range of an integer become the nearest one, and NaN
 * 0.
 */
public final class DoubleLaneCasts {
  private DoubleLaneCasts() {}

  /** Whether float64 is not 0. */
  public static VectorMask<Integer> float64ToBool(DoubleVector a) {
    return a.compare(NE, 0).cast(Lanes.HALF_INT);
  }

  /** The int8 of float64. */
  public static IntVector float64ToInt8(DoubleVector a) {
    return Lanes.narrowInts(a).max(-128).min(127);
  }

  /** The uint8 of float64. */
  public static IntVector float64ToUint8(DoubleVector a) {
    return Lanes.narrowInts(a).max(0).min(255);
  }

  /** The int16 of float64. */
  public static IntVector float64ToInt16(DoubleVector a) {
    return Lanes.narrowInts(a).max(-32768).min(32767);
  }

  /** The uint16 of float64. */
  public static IntVector float64ToUint16(DoubleVector a) {
    return Lanes.narrowInts(a).max(0).min(65535);
  }

  /** The int32 of float64. */
  public static IntVector float64ToInt32(DoubleVector a) {
    return Lanes.narrowInts(a);
  }

  /** The uint32 of float64. */
  public static IntVector float64ToUint32(DoubleVector a) {
    IntVector large = Lanes.narrowInts(a.sub(0x1p31));
    IntVector small = Lanes.narrowInts(a.max(0));
    return small.blend(
        large.lanewise(XOR, 0x8000_0000), a.compare(GE, 0x1p31).cast(Lanes.HALF_INT));
  }

  /** The int64 of float64. */
  public static LongVector float64ToInt64(DoubleVector a) {
    return (LongVector) a.convert(D2L, 0);
  }

  /** The uint64 of float64. */
  public static LongVector float64ToUint64(DoubleVector a) {
    LongVector large = (LongVector) a.sub(0x1p63).convert(D2L, 0);
    LongVector small = (LongVector) a.max(0).convert(D2L, 0);
    large = large.lanewise(XOR, Long.MIN_VALUE);
    return small.blend(large, a.compare(GE, 0x1p63).cast(Lanes.LONG));
  }

  /** The float32 of float64. */
  public static FloatVector float64ToFloat32(DoubleVector a) {
    return Lanes.narrow(a);
  }

  /** The float16 of float64. */
  public static FloatVector float64ToFloat16(DoubleVector a) {
    return Lanes.narrow(rounded(a, 0x1p17, 0x1p-14, 42, 65504));
  }

  /** The bfloat16 of float64. */
  public static FloatVector float64ToBfloat16(DoubleVector a) {
    return Lanes.narrow(rounded(a, 0x1p129, 0x1p-126, 45, 0x1.FEp127));
  }

  /**
   * The nearest numbers of fewer bits: adding a power of two that much above the last bit rounds to
   * it.
   *
   * @param above by how many bits
   */
  private static DoubleVector rounded(
      DoubleVector a, double tooLarge, double minNormal, long above, double max) {
    DoubleVector size = a.lanewise(ABS);
    // Bits of numbers that are not negative have the order of the numbers.
    LongVector bits = size.reinterpretAsLongs().min(Double.doubleToRawLongBits(tooLarge));
    LongVector power = bits.lanewise(AND, 0x7FF0_0000_0000_0000L);
    power = power.max(Double.doubleToRawLongBits(minNormal)).add(above << 52);
    DoubleVector rounder = power.reinterpretAsDoubles();
    DoubleVector near = bits.reinterpretAsDoubles().add(rounder).sub(rounder);
    near = near.blend(Double.POSITIVE_INFINITY, near.compare(GT, max));
    return signed(near, a).blend(a, a.compare(NE, a));
  }

  private static DoubleVector signed(DoubleVector size, DoubleVector a) {
    LongVector sign = a.reinterpretAsLongs().lanewise(AND, Long.MIN_VALUE);
    return size.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }
}
