package org.relaxvm.backendcpu.vector.lane;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/** Writes half vectors to memory, of the lanes that are active. See {@link LaneMemory}. */
public final class HalfMaskedStores {
  private HalfMaskedStores() {}

  /** Writes float32. Only active lanes are written. */
  public static void storeFloat32Half(
      MemorySegment memory, long at, FloatVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(Lanes.HALF_FLOAT));
  }

  /** Writes float16: the values must be such. Only active lanes are written. */
  public static void storeFloat16Half(
      MemorySegment memory, long at, FloatVector value, VectorMask<Integer> active) {
    storeInt16Half(memory, at, LaneMemory.toFloat16(value), active);
  }

  /** Writes bfloat16: the values must be such. Only active lanes are written. */
  public static void storeBfloat16Half(
      MemorySegment memory, long at, FloatVector value, VectorMask<Integer> active) {
    storeInt16Half(memory, at, LaneMemory.toBfloat16(value), active);
  }

  /** Writes int8. Only active lanes are written. */
  public static void storeInt8Half(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    ByteVector bytes = (ByteVector) value.castShape(LaneMemory.HALF_BYTE, 0);
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(LaneMemory.HALF_BYTE));
  }

  /** Writes uint8. Only active lanes are written. */
  public static void storeUint8Half(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    storeInt8Half(memory, at, value, active);
  }

  /** Writes int16. Only active lanes are written. */
  public static void storeInt16Half(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    ShortVector shorts = (ShortVector) value.castShape(LaneMemory.HALF_SHORT, 0);
    shorts.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(LaneMemory.HALF_SHORT));
  }

  /** Writes uint16. Only active lanes are written. */
  public static void storeUint16Half(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    storeInt16Half(memory, at, value, active);
  }

  /** Writes int32. Only active lanes are written. */
  public static void storeInt32Half(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active);
  }

  /** Writes uint32. Only active lanes are written. */
  public static void storeUint32Half(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active);
  }

  /** Writes booleans as 0 and 1. Only active lanes are written. */
  public static void storeBoolHalf(
      MemorySegment memory, long at, VectorMask<Integer> value, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.zero(LaneMemory.HALF_BYTE).blend(1, value.cast(LaneMemory.HALF_BYTE));
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(LaneMemory.HALF_BYTE));
  }

  /** Writes float64. Only active lanes are written. */
  public static void storeFloat64Half(
      MemorySegment memory, long at, DoubleVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(Lanes.DOUBLE));
  }

  /** Writes int64. Only active lanes are written. */
  public static void storeInt64Half(
      MemorySegment memory, long at, LongVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(Lanes.LONG));
  }

  /** Writes uint64. Only active lanes are written. */
  public static void storeUint64Half(
      MemorySegment memory, long at, LongVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(Lanes.LONG));
  }
}
