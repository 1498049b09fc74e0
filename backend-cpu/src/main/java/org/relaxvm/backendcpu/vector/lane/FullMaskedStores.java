package org.relaxvm.backendcpu.vector.lane;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/** Writes full vectors to memory, of the lanes that are active. See {@link LaneMemory}. */
public final class FullMaskedStores {
  private FullMaskedStores() {}

  /** Writes float32. Only active lanes are written. */
  public static void storeFloat32(
      MemorySegment memory, long at, FloatVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(Lanes.FLOAT));
  }

  /** Writes float16: the values must be such. Only active lanes are written. */
  public static void storeFloat16(
      MemorySegment memory, long at, FloatVector value, VectorMask<Integer> active) {
    storeInt16(memory, at, LaneMemory.toFloat16(value), active);
  }

  /** Writes bfloat16: the values must be such. Only active lanes are written. */
  public static void storeBfloat16(
      MemorySegment memory, long at, FloatVector value, VectorMask<Integer> active) {
    storeInt16(memory, at, LaneMemory.toBfloat16(value), active);
  }

  /** Writes int8. Only active lanes are written. */
  public static void storeInt8(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    ByteVector bytes = (ByteVector) value.castShape(LaneMemory.BYTE, 0);
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(LaneMemory.BYTE));
  }

  /** Writes uint8. Only active lanes are written. */
  public static void storeUint8(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    storeInt8(memory, at, value, active);
  }

  /** Writes int16. Only active lanes are written. */
  public static void storeInt16(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    ShortVector shorts = (ShortVector) value.castShape(LaneMemory.SHORT, 0);
    shorts.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(LaneMemory.SHORT));
  }

  /** Writes uint16. Only active lanes are written. */
  public static void storeUint16(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    storeInt16(memory, at, value, active);
  }

  /** Writes int32. Only active lanes are written. */
  public static void storeInt32(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active);
  }

  /** Writes uint32. Only active lanes are written. */
  public static void storeUint32(
      MemorySegment memory, long at, IntVector value, VectorMask<Integer> active) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER, active);
  }

  /** Writes booleans as 0 and 1. Only active lanes are written. */
  public static void storeBool(
      MemorySegment memory, long at, VectorMask<Integer> value, VectorMask<Integer> active) {
    ByteVector bytes = ByteVector.zero(LaneMemory.BYTE).blend(1, value.cast(LaneMemory.BYTE));
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER, active.cast(LaneMemory.BYTE));
  }
}
