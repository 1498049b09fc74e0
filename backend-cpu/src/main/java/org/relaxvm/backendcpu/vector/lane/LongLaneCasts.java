package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.L2D;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.UGE;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/**
 * Values of int64 and uint64 as others. Integers wrap around; floats are the nearest, rounded once.
 */
public final class LongLaneCasts {
  private LongLaneCasts() {}

  /** Whether int64 is not 0. */
  public static VectorMask<Integer> int64ToBool(LongVector a) {
    return a.compare(NE, 0).cast(Lanes.HALF_INT);
  }

  /** The int8 of int64. */
  public static IntVector int64ToInt8(LongVector a) {
    return IntLaneOps.wrapInt8((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The uint8 of int64. */
  public static IntVector int64ToUint8(LongVector a) {
    return IntLaneOps.wrapUint8((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The int16 of int64. */
  public static IntVector int64ToInt16(LongVector a) {
    return IntLaneOps.wrapInt16((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The uint16 of int64. */
  public static IntVector int64ToUint16(LongVector a) {
    return IntLaneOps.wrapUint16((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The int32 of int64. */
  public static IntVector int64ToInt32(LongVector a) {
    return (IntVector) a.castShape(Lanes.HALF_INT, 0);
  }

  /** The uint32 of int64. */
  public static IntVector int64ToUint32(LongVector a) {
    return (IntVector) a.castShape(Lanes.HALF_INT, 0);
  }

  /** The uint64 of int64. */
  public static LongVector int64ToUint64(LongVector a) {
    return a;
  }

  /** The float64 of int64. */
  public static DoubleVector int64ToFloat64(LongVector a) {
    return (DoubleVector) a.convert(L2D, 0);
  }

  /** The float32 of int64. */
  public static FloatVector int64ToFloat32(LongVector a) {
    return (FloatVector) a.castShape(Lanes.HALF_FLOAT, 0);
  }

  /** The float16 of int64. */
  public static FloatVector int64ToFloat16(LongVector a) {
    return FloatLaneRounding.roundFloat16(int64ToFloat32(a));
  }

  /** The bfloat16 of int64. */
  public static FloatVector int64ToBfloat16(LongVector a) {
    // Neither near 0 nor near -0 without signs.
    LongVector odd = a.blend(toOdd(a), a.add(1L << 52).compare(UGE, 1L << 53));
    return DoubleLaneCasts.float64ToBfloat16(int64ToFloat64(odd));
  }

  /** Whether uint64 is not 0. */
  public static VectorMask<Integer> uint64ToBool(LongVector a) {
    return a.compare(NE, 0).cast(Lanes.HALF_INT);
  }

  /** The int8 of uint64. */
  public static IntVector uint64ToInt8(LongVector a) {
    return IntLaneOps.wrapInt8((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The uint8 of uint64. */
  public static IntVector uint64ToUint8(LongVector a) {
    return IntLaneOps.wrapUint8((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The int16 of uint64. */
  public static IntVector uint64ToInt16(LongVector a) {
    return IntLaneOps.wrapInt16((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The uint16 of uint64. */
  public static IntVector uint64ToUint16(LongVector a) {
    return IntLaneOps.wrapUint16((IntVector) a.castShape(Lanes.HALF_INT, 0));
  }

  /** The int32 of uint64. */
  public static IntVector uint64ToInt32(LongVector a) {
    return (IntVector) a.castShape(Lanes.HALF_INT, 0);
  }

  /** The uint32 of uint64. */
  public static IntVector uint64ToUint32(LongVector a) {
    return (IntVector) a.castShape(Lanes.HALF_INT, 0);
  }

  /** The int64 of uint64. */
  public static LongVector uint64ToInt64(LongVector a) {
    return a;
  }

  /** The float64 of uint64. */
  public static DoubleVector uint64ToFloat64(LongVector a) {
    DoubleVector value = (DoubleVector) a.convert(L2D, 0);
    DoubleVector large = (DoubleVector) half(a).convert(L2D, 0);
    return value.blend(large.add(large), a.compare(LT, 0).cast(Lanes.DOUBLE));
  }

  /** The float32 of uint64. */
  public static FloatVector uint64ToFloat32(LongVector a) {
    FloatVector value = (FloatVector) a.castShape(Lanes.HALF_FLOAT, 0);
    FloatVector large = (FloatVector) half(a).castShape(Lanes.HALF_FLOAT, 0);
    return value.blend(large.add(large), a.compare(LT, 0).cast(Lanes.HALF_FLOAT));
  }

  /** The float16 of uint64. */
  public static FloatVector uint64ToFloat16(LongVector a) {
    return FloatLaneRounding.roundFloat16(uint64ToFloat32(a));
  }

  /** The bfloat16 of uint64. */
  public static FloatVector uint64ToBfloat16(LongVector a) {
    LongVector odd = a.blend(toOdd(a), a.compare(UGE, 1L << 53));
    return DoubleLaneCasts.float64ToBfloat16(uint64ToFloat64(odd));
  }

  /** Half of integers without signs, the last bit set where one is lost. */
  private static LongVector half(LongVector a) {
    return a.lanewise(LSHR, 1).lanewise(OR, a.lanewise(AND, 1));
  }

  /**
   * Integers without the bits that float64 does not hold, the last one set where others are lost:
   * then rounding to fewer bits knows that there was more.
   */
  private static LongVector toOdd(LongVector a) {
    LongVector kept = a.lanewise(AND, -0x1000);
    return kept.blend(kept.lanewise(OR, 0x1000), kept.compare(NE, a));
  }
}
