package org.relaxvm.backendcpu.vector.lane;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/** Booleans as numbers. */
public final class MaskLaneCasts {
  private MaskLaneCasts() {}

  /** The int8 of a boolean: 1 or 0. */
  public static IntVector boolToInt8(VectorMask<Integer> a) {
    return IntVector.zero(Lanes.ints(a.length())).blend(1, a);
  }

  /** The uint8 of a boolean: 1 or 0. */
  public static IntVector boolToUint8(VectorMask<Integer> a) {
    return IntVector.zero(Lanes.ints(a.length())).blend(1, a);
  }

  /** The int16 of a boolean: 1 or 0. */
  public static IntVector boolToInt16(VectorMask<Integer> a) {
    return IntVector.zero(Lanes.ints(a.length())).blend(1, a);
  }

  /** The uint16 of a boolean: 1 or 0. */
  public static IntVector boolToUint16(VectorMask<Integer> a) {
    return IntVector.zero(Lanes.ints(a.length())).blend(1, a);
  }

  /** The int32 of a boolean: 1 or 0. */
  public static IntVector boolToInt32(VectorMask<Integer> a) {
    return IntVector.zero(Lanes.ints(a.length())).blend(1, a);
  }

  /** The uint32 of a boolean: 1 or 0. */
  public static IntVector boolToUint32(VectorMask<Integer> a) {
    return IntVector.zero(Lanes.ints(a.length())).blend(1, a);
  }

  /** The int64 of a boolean: 1 or 0. */
  public static LongVector boolToInt64(VectorMask<Integer> a) {
    return LongVector.zero(Lanes.LONG).blend(1, a.cast(Lanes.LONG));
  }

  /** The uint64 of a boolean: 1 or 0. */
  public static LongVector boolToUint64(VectorMask<Integer> a) {
    return LongVector.zero(Lanes.LONG).blend(1, a.cast(Lanes.LONG));
  }

  /** The float32 of a boolean: 1 or 0. */
  public static FloatVector boolToFloat32(VectorMask<Integer> a) {
    FloatVector zero = FloatVector.zero(Lanes.floats(a.length()));
    return zero.blend(1, a.cast(zero.species()));
  }

  /** The float16 of a boolean: 1 or 0. */
  public static FloatVector boolToFloat16(VectorMask<Integer> a) {
    FloatVector zero = FloatVector.zero(Lanes.floats(a.length()));
    return zero.blend(1, a.cast(zero.species()));
  }

  /** The bfloat16 of a boolean: 1 or 0. */
  public static FloatVector boolToBfloat16(VectorMask<Integer> a) {
    FloatVector zero = FloatVector.zero(Lanes.floats(a.length()));
    return zero.blend(1, a.cast(zero.species()));
  }

  /** The float64 of a boolean: 1 or 0. */
  public static DoubleVector boolToFloat64(VectorMask<Integer> a) {
    return DoubleVector.zero(Lanes.DOUBLE).blend(1, a.cast(Lanes.DOUBLE));
  }
}
