package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2I;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_S2I;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/** Reads full vectors from memory. See {@link LaneMemory}. */
public final class FullLoads {
  private FullLoads() {}

  /** Reads float32. */
  public static FloatVector loadFloat32(MemorySegment memory, long at) {
    return FloatVector.fromMemorySegment(Lanes.FLOAT, memory, at, LaneMemory.ORDER);
  }

  /** Reads float16. */
  public static FloatVector loadFloat16(MemorySegment memory, long at) {
    IntVector bits = loadInt16(memory, at);
    return LaneMemory.ofFloat16(bits);
  }

  /** Reads bfloat16. */
  public static FloatVector loadBfloat16(MemorySegment memory, long at) {
    IntVector bits = loadUint16(memory, at);
    return LaneMemory.ofBfloat16(bits);
  }

  /** Reads int8. */
  public static IntVector loadInt8(MemorySegment memory, long at) {
    ByteVector bytes = ByteVector.fromMemorySegment(LaneMemory.BYTE, memory, at, LaneMemory.ORDER);
    return (IntVector) bytes.castShape(Lanes.INT, 0);
  }

  /** Reads uint8. */
  public static IntVector loadUint8(MemorySegment memory, long at) {
    ByteVector bytes = ByteVector.fromMemorySegment(LaneMemory.BYTE, memory, at, LaneMemory.ORDER);
    return (IntVector) bytes.convertShape(ZERO_EXTEND_B2I, Lanes.INT, 0);
  }

  /** Reads int16. */
  public static IntVector loadInt16(MemorySegment memory, long at) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(LaneMemory.SHORT, memory, at, LaneMemory.ORDER);
    return (IntVector) shorts.castShape(Lanes.INT, 0);
  }

  /** Reads uint16. */
  public static IntVector loadUint16(MemorySegment memory, long at) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(LaneMemory.SHORT, memory, at, LaneMemory.ORDER);
    return (IntVector) shorts.convertShape(ZERO_EXTEND_S2I, Lanes.INT, 0);
  }

  /** Reads int32. */
  public static IntVector loadInt32(MemorySegment memory, long at) {
    return IntVector.fromMemorySegment(Lanes.INT, memory, at, LaneMemory.ORDER);
  }

  /** Reads uint32. */
  public static IntVector loadUint32(MemorySegment memory, long at) {
    return IntVector.fromMemorySegment(Lanes.INT, memory, at, LaneMemory.ORDER);
  }

  /** Reads booleans; any byte but 0 is true. */
  public static VectorMask<Integer> loadBool(MemorySegment memory, long at) {
    ByteVector bytes = ByteVector.fromMemorySegment(LaneMemory.BYTE, memory, at, LaneMemory.ORDER);
    return bytes.compare(NE, 0).cast(Lanes.INT);
  }
}
