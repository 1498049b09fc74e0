package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2I;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_S2I;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;

/** Reads half vectors from memory. See {@link LaneMemory}. */
public final class HalfLoads {
  private HalfLoads() {}

  /** Reads float32. */
  public static FloatVector loadFloat32Half(MemorySegment memory, long at) {
    return FloatVector.fromMemorySegment(Lanes.HALF_FLOAT, memory, at, LaneMemory.ORDER);
  }

  /** Reads float16. */
  public static FloatVector loadFloat16Half(MemorySegment memory, long at) {
    IntVector bits = loadInt16Half(memory, at);
    return LaneMemory.ofFloat16(bits);
  }

  /** Reads bfloat16. */
  public static FloatVector loadBfloat16Half(MemorySegment memory, long at) {
    IntVector bits = loadUint16Half(memory, at);
    return LaneMemory.ofBfloat16(bits);
  }

  /** Reads int8. */
  public static IntVector loadInt8Half(MemorySegment memory, long at) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(LaneMemory.HALF_BYTE, memory, at, LaneMemory.ORDER);
    return (IntVector) bytes.castShape(Lanes.HALF_INT, 0);
  }

  /** Reads uint8. */
  public static IntVector loadUint8Half(MemorySegment memory, long at) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(LaneMemory.HALF_BYTE, memory, at, LaneMemory.ORDER);
    return (IntVector) bytes.convertShape(ZERO_EXTEND_B2I, Lanes.HALF_INT, 0);
  }

  /** Reads int16. */
  public static IntVector loadInt16Half(MemorySegment memory, long at) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(LaneMemory.HALF_SHORT, memory, at, LaneMemory.ORDER);
    return (IntVector) shorts.castShape(Lanes.HALF_INT, 0);
  }

  /** Reads uint16. */
  public static IntVector loadUint16Half(MemorySegment memory, long at) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(LaneMemory.HALF_SHORT, memory, at, LaneMemory.ORDER);
    return (IntVector) shorts.convertShape(ZERO_EXTEND_S2I, Lanes.HALF_INT, 0);
  }

  /** Reads int32. */
  public static IntVector loadInt32Half(MemorySegment memory, long at) {
    return IntVector.fromMemorySegment(Lanes.HALF_INT, memory, at, LaneMemory.ORDER);
  }

  /** Reads uint32. */
  public static IntVector loadUint32Half(MemorySegment memory, long at) {
    return IntVector.fromMemorySegment(Lanes.HALF_INT, memory, at, LaneMemory.ORDER);
  }

  /** Reads booleans; any byte but 0 is true. */
  public static VectorMask<Integer> loadBoolHalf(MemorySegment memory, long at) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(LaneMemory.HALF_BYTE, memory, at, LaneMemory.ORDER);
    return bytes.compare(NE, 0).cast(Lanes.HALF_INT);
  }

  /** Reads float64. */
  public static DoubleVector loadFloat64Half(MemorySegment memory, long at) {
    return DoubleVector.fromMemorySegment(Lanes.DOUBLE, memory, at, LaneMemory.ORDER);
  }

  /** Reads int64. */
  public static LongVector loadInt64Half(MemorySegment memory, long at) {
    return LongVector.fromMemorySegment(Lanes.LONG, memory, at, LaneMemory.ORDER);
  }

  /** Reads uint64. */
  public static LongVector loadUint64Half(MemorySegment memory, long at) {
    return LongVector.fromMemorySegment(Lanes.LONG, memory, at, LaneMemory.ORDER);
  }
}
