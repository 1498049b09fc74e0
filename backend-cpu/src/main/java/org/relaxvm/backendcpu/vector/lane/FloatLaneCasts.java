package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/**
 * Values of float32, float16 and bfloat16 as others. Those out of the range of an integer become
 * the nearest one, and NaN 0.
 */
public final class FloatLaneCasts {
  private FloatLaneCasts() {}

  /** Whether float32 is not 0. */
  public static VectorMask<Integer> float32ToBool(FloatVector a) {
    return a.compare(NE, 0).cast(Lanes.ints(a.length()));
  }

  /** The int8 of float32. */
  public static IntVector float32ToInt8(FloatVector a) {
    return ((IntVector) a.convert(F2I, 0)).max(-128).min(127);
  }

  /** The uint8 of float32. */
  public static IntVector float32ToUint8(FloatVector a) {
    return ((IntVector) a.convert(F2I, 0)).max(0).min(255);
  }

  /** The int16 of float32. */
  public static IntVector float32ToInt16(FloatVector a) {
    return ((IntVector) a.convert(F2I, 0)).max(-32768).min(32767);
  }

  /** The uint16 of float32. */
  public static IntVector float32ToUint16(FloatVector a) {
    return ((IntVector) a.convert(F2I, 0)).max(0).min(65535);
  }

  /** The int32 of float32. */
  public static IntVector float32ToInt32(FloatVector a) {
    return (IntVector) a.convert(F2I, 0);
  }

  /** The uint32 of float32. */
  public static IntVector float32ToUint32(FloatVector a) {
    IntVector large = (IntVector) a.sub(0x1p31f).convert(F2I, 0);
    IntVector small = (IntVector) a.max(0).convert(F2I, 0);
    return small.blend(
        large.lanewise(XOR, 0x8000_0000), a.compare(GE, 0x1p31f).cast(small.species()));
  }

  /** The int64 of float32. */
  public static LongVector float32ToInt64(FloatVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of float32. */
  public static LongVector float32ToUint64(FloatVector a) {
    return DoubleLaneCasts.float64ToUint64(Lanes.first(a));
  }

  /** The float64 of float32. */
  public static DoubleVector float32ToFloat64(FloatVector a) {
    return (DoubleVector) a.castShape(Lanes.DOUBLE, 0);
  }

  /** The float16 of float32. */
  public static FloatVector float32ToFloat16(FloatVector a) {
    return FloatLaneRounding.roundFloat16(a);
  }

  /** The bfloat16 of float32. */
  public static FloatVector float32ToBfloat16(FloatVector a) {
    return FloatLaneRounding.roundBfloat16(a);
  }

  /** Whether float16 is not 0. */
  public static VectorMask<Integer> float16ToBool(FloatVector a) {
    return a.compare(NE, 0).cast(Lanes.ints(a.length()));
  }

  /** The int8 of float16. */
  public static IntVector float16ToInt8(FloatVector a) {
    return float32ToInt8(a);
  }

  /** The uint8 of float16. */
  public static IntVector float16ToUint8(FloatVector a) {
    return float32ToUint8(a);
  }

  /** The int16 of float16. */
  public static IntVector float16ToInt16(FloatVector a) {
    return float32ToInt16(a);
  }

  /** The uint16 of float16. */
  public static IntVector float16ToUint16(FloatVector a) {
    return float32ToUint16(a);
  }

  /** The int32 of float16. */
  public static IntVector float16ToInt32(FloatVector a) {
    return float32ToInt32(a);
  }

  /** The uint32 of float16. */
  public static IntVector float16ToUint32(FloatVector a) {
    return float32ToUint32(a);
  }

  /** The int64 of float16. */
  public static LongVector float16ToInt64(FloatVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of float16. */
  public static LongVector float16ToUint64(FloatVector a) {
    return DoubleLaneCasts.float64ToUint64(Lanes.first(a));
  }

  /** The float64 of float16. */
  public static DoubleVector float16ToFloat64(FloatVector a) {
    return (DoubleVector) a.castShape(Lanes.DOUBLE, 0);
  }

  /** The float32 of float16. */
  public static FloatVector float16ToFloat32(FloatVector a) {
    return a;
  }

  /** The bfloat16 of float16. */
  public static FloatVector float16ToBfloat16(FloatVector a) {
    return FloatLaneRounding.roundBfloat16(a);
  }

  /** Whether bfloat16 is not 0. */
  public static VectorMask<Integer> bfloat16ToBool(FloatVector a) {
    return a.compare(NE, 0).cast(Lanes.ints(a.length()));
  }

  /** The int8 of bfloat16. */
  public static IntVector bfloat16ToInt8(FloatVector a) {
    return float32ToInt8(a);
  }

  /** The uint8 of bfloat16. */
  public static IntVector bfloat16ToUint8(FloatVector a) {
    return float32ToUint8(a);
  }

  /** The int16 of bfloat16. */
  public static IntVector bfloat16ToInt16(FloatVector a) {
    return float32ToInt16(a);
  }

  /** The uint16 of bfloat16. */
  public static IntVector bfloat16ToUint16(FloatVector a) {
    return float32ToUint16(a);
  }

  /** The int32 of bfloat16. */
  public static IntVector bfloat16ToInt32(FloatVector a) {
    return float32ToInt32(a);
  }

  /** The uint32 of bfloat16. */
  public static IntVector bfloat16ToUint32(FloatVector a) {
    return float32ToUint32(a);
  }

  /** The int64 of bfloat16. */
  public static LongVector bfloat16ToInt64(FloatVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of bfloat16. */
  public static LongVector bfloat16ToUint64(FloatVector a) {
    return DoubleLaneCasts.float64ToUint64(Lanes.first(a));
  }

  /** The float64 of bfloat16. */
  public static DoubleVector bfloat16ToFloat64(FloatVector a) {
    return (DoubleVector) a.castShape(Lanes.DOUBLE, 0);
  }

  /** The float32 of bfloat16. */
  public static FloatVector bfloat16ToFloat32(FloatVector a) {
    return a;
  }

  /** The float16 of bfloat16. */
  public static FloatVector bfloat16ToFloat16(FloatVector a) {
    return FloatLaneRounding.roundFloat16(a);
  }
}
