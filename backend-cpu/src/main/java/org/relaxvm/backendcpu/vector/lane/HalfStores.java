package org.relaxvm.backendcpu.vector.lane;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/** Writes half vectors to memory. See {@link LaneMemory}. */
public final class HalfStores {
  private HalfStores() {}

  /** Writes float32. */
  public static void storeFloat32Half(MemorySegment memory, long at, FloatVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes float16: the values must be such. */
  public static void storeFloat16Half(MemorySegment memory, long at, FloatVector value) {
    storeInt16Half(memory, at, LaneMemory.toFloat16(value));
  }

  /** Writes bfloat16: the values must be such. */
  public static void storeBfloat16Half(MemorySegment memory, long at, FloatVector value) {
    storeInt16Half(memory, at, LaneMemory.toBfloat16(value));
  }

  /** Writes int8. */
  public static void storeInt8Half(MemorySegment memory, long at, IntVector value) {
    ByteVector bytes = (ByteVector) value.castShape(LaneMemory.HALF_BYTE, 0);
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint8. */
  public static void storeUint8Half(MemorySegment memory, long at, IntVector value) {
    storeInt8Half(memory, at, value);
  }

  /** Writes int16. */
  public static void storeInt16Half(MemorySegment memory, long at, IntVector value) {
    ShortVector shorts = (ShortVector) value.castShape(LaneMemory.HALF_SHORT, 0);
    shorts.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint16. */
  public static void storeUint16Half(MemorySegment memory, long at, IntVector value) {
    storeInt16Half(memory, at, value);
  }

  /** Writes int32. */
  public static void storeInt32Half(MemorySegment memory, long at, IntVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint32. */
  public static void storeUint32Half(MemorySegment memory, long at, IntVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes booleans as 0 and 1. */
  public static void storeBoolHalf(MemorySegment memory, long at, VectorMask<Integer> value) {
    ByteVector bytes =
        ByteVector.zero(LaneMemory.HALF_BYTE).blend(1, value.cast(LaneMemory.HALF_BYTE));
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes float64. */
  public static void storeFloat64Half(MemorySegment memory, long at, DoubleVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes int64. */
  public static void storeInt64Half(MemorySegment memory, long at, LongVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint64. */
  public static void storeUint64Half(MemorySegment memory, long at, LongVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }
}
