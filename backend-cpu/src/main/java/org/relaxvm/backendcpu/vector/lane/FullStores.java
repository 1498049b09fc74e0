package org.relaxvm.backendcpu.vector.lane;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/** Writes full vectors to memory. See {@link LaneMemory}. */
public final class FullStores {
  private FullStores() {}

  /** Writes float32. */
  public static void storeFloat32(MemorySegment memory, long at, FloatVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes float16: the values must be such. */
  public static void storeFloat16(MemorySegment memory, long at, FloatVector value) {
    storeInt16(memory, at, LaneMemory.toFloat16(value));
  }

  /** Writes bfloat16: the values must be such. */
  public static void storeBfloat16(MemorySegment memory, long at, FloatVector value) {
    storeInt16(memory, at, LaneMemory.toBfloat16(value));
  }

  /** Writes int8. */
  public static void storeInt8(MemorySegment memory, long at, IntVector value) {
    ByteVector bytes = (ByteVector) value.castShape(LaneMemory.BYTE, 0);
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint8. */
  public static void storeUint8(MemorySegment memory, long at, IntVector value) {
    storeInt8(memory, at, value);
  }

  /** Writes int16. */
  public static void storeInt16(MemorySegment memory, long at, IntVector value) {
    ShortVector shorts = (ShortVector) value.castShape(LaneMemory.SHORT, 0);
    shorts.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint16. */
  public static void storeUint16(MemorySegment memory, long at, IntVector value) {
    storeInt16(memory, at, value);
  }

  /** Writes int32. */
  public static void storeInt32(MemorySegment memory, long at, IntVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes uint32. */
  public static void storeUint32(MemorySegment memory, long at, IntVector value) {
    value.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }

  /** Writes booleans as 0 and 1. */
  public static void storeBool(MemorySegment memory, long at, VectorMask<Integer> value) {
    ByteVector bytes = ByteVector.zero(LaneMemory.BYTE).blend(1, value.cast(LaneMemory.BYTE));
    bytes.intoMemorySegment(memory, at, LaneMemory.ORDER);
  }
}
