package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.UGE;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_I2L;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;

/**
 * Values of integers of up to 32 bits as others. Integers wrap around; floats are the nearest,
 * rounded once.
 */
public final class IntLaneCasts {
  private IntLaneCasts() {}

  /** Whether int8 is not 0. */
  public static VectorMask<Integer> int8ToBool(IntVector a) {
    return a.compare(NE, 0);
  }

  /** The uint8 of int8. */
  public static IntVector int8ToUint8(IntVector a) {
    return IntLaneOps.wrapUint8(a);
  }

  /** The int16 of int8. */
  public static IntVector int8ToInt16(IntVector a) {
    return IntLaneOps.wrapInt16(a);
  }

  /** The uint16 of int8. */
  public static IntVector int8ToUint16(IntVector a) {
    return IntLaneOps.wrapUint16(a);
  }

  /** The int32 of int8. */
  public static IntVector int8ToInt32(IntVector a) {
    return a;
  }

  /** The uint32 of int8. */
  public static IntVector int8ToUint32(IntVector a) {
    return a;
  }

  /** The int64 of int8. */
  public static LongVector int8ToInt64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of int8. */
  public static LongVector int8ToUint64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The float32 of int8. */
  public static FloatVector int8ToFloat32(IntVector a) {
    return (FloatVector) a.convert(I2F, 0);
  }

  /** The float16 of int8. */
  public static FloatVector int8ToFloat16(IntVector a) {
    return FloatLaneRounding.roundFloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The bfloat16 of int8. */
  public static FloatVector int8ToBfloat16(IntVector a) {
    return FloatLaneRounding.roundBfloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The float64 of int8. */
  public static DoubleVector int8ToFloat64(IntVector a) {
    return Lanes.first(a);
  }

  /** Whether uint8 is not 0. */
  public static VectorMask<Integer> uint8ToBool(IntVector a) {
    return a.compare(NE, 0);
  }

  /** The int8 of uint8. */
  public static IntVector uint8ToInt8(IntVector a) {
    return IntLaneOps.wrapInt8(a);
  }

  /** The int16 of uint8. */
  public static IntVector uint8ToInt16(IntVector a) {
    return IntLaneOps.wrapInt16(a);
  }

  /** The uint16 of uint8. */
  public static IntVector uint8ToUint16(IntVector a) {
    return IntLaneOps.wrapUint16(a);
  }

  /** The int32 of uint8. */
  public static IntVector uint8ToInt32(IntVector a) {
    return a;
  }

  /** The uint32 of uint8. */
  public static IntVector uint8ToUint32(IntVector a) {
    return a;
  }

  /** The int64 of uint8. */
  public static LongVector uint8ToInt64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of uint8. */
  public static LongVector uint8ToUint64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The float32 of uint8. */
  public static FloatVector uint8ToFloat32(IntVector a) {
    return (FloatVector) a.convert(I2F, 0);
  }

  /** The float16 of uint8. */
  public static FloatVector uint8ToFloat16(IntVector a) {
    return FloatLaneRounding.roundFloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The bfloat16 of uint8. */
  public static FloatVector uint8ToBfloat16(IntVector a) {
    return FloatLaneRounding.roundBfloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The float64 of uint8. */
  public static DoubleVector uint8ToFloat64(IntVector a) {
    return Lanes.first(a);
  }

  /** Whether int16 is not 0. */
  public static VectorMask<Integer> int16ToBool(IntVector a) {
    return a.compare(NE, 0);
  }

  /** The int8 of int16. */
  public static IntVector int16ToInt8(IntVector a) {
    return IntLaneOps.wrapInt8(a);
  }

  /** The uint8 of int16. */
  public static IntVector int16ToUint8(IntVector a) {
    return IntLaneOps.wrapUint8(a);
  }

  /** The uint16 of int16. */
  public static IntVector int16ToUint16(IntVector a) {
    return IntLaneOps.wrapUint16(a);
  }

  /** The int32 of int16. */
  public static IntVector int16ToInt32(IntVector a) {
    return a;
  }

  /** The uint32 of int16. */
  public static IntVector int16ToUint32(IntVector a) {
    return a;
  }

  /** The int64 of int16. */
  public static LongVector int16ToInt64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of int16. */
  public static LongVector int16ToUint64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The float32 of int16. */
  public static FloatVector int16ToFloat32(IntVector a) {
    return (FloatVector) a.convert(I2F, 0);
  }

  /** The float16 of int16. */
  public static FloatVector int16ToFloat16(IntVector a) {
    return FloatLaneRounding.roundFloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The bfloat16 of int16. */
  public static FloatVector int16ToBfloat16(IntVector a) {
    return FloatLaneRounding.roundBfloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The float64 of int16. */
  public static DoubleVector int16ToFloat64(IntVector a) {
    return Lanes.first(a);
  }

  /** Whether uint16 is not 0. */
  public static VectorMask<Integer> uint16ToBool(IntVector a) {
    return a.compare(NE, 0);
  }

  /** The int8 of uint16. */
  public static IntVector uint16ToInt8(IntVector a) {
    return IntLaneOps.wrapInt8(a);
  }

  /** The uint8 of uint16. */
  public static IntVector uint16ToUint8(IntVector a) {
    return IntLaneOps.wrapUint8(a);
  }

  /** The int16 of uint16. */
  public static IntVector uint16ToInt16(IntVector a) {
    return IntLaneOps.wrapInt16(a);
  }

  /** The int32 of uint16. */
  public static IntVector uint16ToInt32(IntVector a) {
    return a;
  }

  /** The uint32 of uint16. */
  public static IntVector uint16ToUint32(IntVector a) {
    return a;
  }

  /** The int64 of uint16. */
  public static LongVector uint16ToInt64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of uint16. */
  public static LongVector uint16ToUint64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The float32 of uint16. */
  public static FloatVector uint16ToFloat32(IntVector a) {
    return (FloatVector) a.convert(I2F, 0);
  }

  /** The float16 of uint16. */
  public static FloatVector uint16ToFloat16(IntVector a) {
    return FloatLaneRounding.roundFloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The bfloat16 of uint16. */
  public static FloatVector uint16ToBfloat16(IntVector a) {
    return FloatLaneRounding.roundBfloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The float64 of uint16. */
  public static DoubleVector uint16ToFloat64(IntVector a) {
    return Lanes.first(a);
  }

  /** Whether int32 is not 0. */
  public static VectorMask<Integer> int32ToBool(IntVector a) {
    return a.compare(NE, 0);
  }

  /** The int8 of int32. */
  public static IntVector int32ToInt8(IntVector a) {
    return IntLaneOps.wrapInt8(a);
  }

  /** The uint8 of int32. */
  public static IntVector int32ToUint8(IntVector a) {
    return IntLaneOps.wrapUint8(a);
  }

  /** The int16 of int32. */
  public static IntVector int32ToInt16(IntVector a) {
    return IntLaneOps.wrapInt16(a);
  }

  /** The uint16 of int32. */
  public static IntVector int32ToUint16(IntVector a) {
    return IntLaneOps.wrapUint16(a);
  }

  /** The uint32 of int32. */
  public static IntVector int32ToUint32(IntVector a) {
    return a;
  }

  /** The int64 of int32. */
  public static LongVector int32ToInt64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The uint64 of int32. */
  public static LongVector int32ToUint64(IntVector a) {
    return (LongVector) a.castShape(Lanes.LONG, 0);
  }

  /** The float32 of int32. */
  public static FloatVector int32ToFloat32(IntVector a) {
    return (FloatVector) a.convert(I2F, 0);
  }

  /** The float16 of int32. */
  public static FloatVector int32ToFloat16(IntVector a) {
    return FloatLaneRounding.roundFloat16((FloatVector) a.convert(I2F, 0));
  }

  /** The bfloat16 of int32. */
  public static FloatVector int32ToBfloat16(IntVector a) {
    return FloatLaneRounding.roundBfloat16((FloatVector) toOdd(a).convert(I2F, 0));
  }

  /** The float64 of int32. */
  public static DoubleVector int32ToFloat64(IntVector a) {
    return Lanes.first(a);
  }

  /** Whether uint32 is not 0. */
  public static VectorMask<Integer> uint32ToBool(IntVector a) {
    return a.compare(NE, 0);
  }

  /** The int8 of uint32. */
  public static IntVector uint32ToInt8(IntVector a) {
    return IntLaneOps.wrapInt8(a);
  }

  /** The uint8 of uint32. */
  public static IntVector uint32ToUint8(IntVector a) {
    return IntLaneOps.wrapUint8(a);
  }

  /** The int16 of uint32. */
  public static IntVector uint32ToInt16(IntVector a) {
    return IntLaneOps.wrapInt16(a);
  }

  /** The uint16 of uint32. */
  public static IntVector uint32ToUint16(IntVector a) {
    return IntLaneOps.wrapUint16(a);
  }

  /** The int32 of uint32. */
  public static IntVector uint32ToInt32(IntVector a) {
    return a;
  }

  /** The int64 of uint32. */
  public static LongVector uint32ToInt64(IntVector a) {
    return (LongVector) a.convertShape(ZERO_EXTEND_I2L, Lanes.LONG, 0);
  }

  /** The uint64 of uint32. */
  public static LongVector uint32ToUint64(IntVector a) {
    return (LongVector) a.convertShape(ZERO_EXTEND_I2L, Lanes.LONG, 0);
  }

  /** The float32 of uint32. */
  public static FloatVector uint32ToFloat32(IntVector a) {
    FloatVector high = (FloatVector) a.lanewise(LSHR, 16).convert(I2F, 0);
    FloatVector low = (FloatVector) a.lanewise(AND, 0xFFFF).convert(I2F, 0);
    // Exact until the sum.
    return high.mul(0x1p16f).add(low);
  }

  /** The float16 of uint32. */
  public static FloatVector uint32ToFloat16(IntVector a) {
    return FloatLaneRounding.roundFloat16(uint32ToFloat32(a));
  }

  /** The bfloat16 of uint32. */
  public static FloatVector uint32ToBfloat16(IntVector a) {
    return FloatLaneRounding.roundBfloat16(uint32ToFloat32(toOdd(a)));
  }

  /** The float64 of uint32. */
  public static DoubleVector uint32ToFloat64(IntVector a) {
    DoubleVector value = Lanes.first(a);
    return value.blend(value.add(0x1p32), a.compare(LT, 0).cast(Lanes.DOUBLE));
  }

  /**
   * Integers without their low bits where float32 does not hold them, the last one set where others
   * are lost: then rounding to fewer bits knows that there was more.
   */
  private static IntVector toOdd(IntVector a) {
    IntVector kept = a.lanewise(AND, -0x100);
    IntVector odd = kept.blend(kept.lanewise(OR, 0x100), kept.compare(NE, a));
    // Neither near 0 nor near -0 without signs.
    return a.blend(odd, a.add(1 << 23).compare(UGE, 1 << 24));
  }
}
