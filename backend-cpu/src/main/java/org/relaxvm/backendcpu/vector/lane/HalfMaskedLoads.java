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

/** Reads half vectors from memory, of the lanes that are active. See {@link LaneMemory}. */
public final class HalfMaskedLoads {
  private HalfMaskedLoads() {}

  /** Reads float32. The lanes that are not active are 0, and not read. */
  public static FloatVector loadFloat32Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    return FloatVector.fromMemorySegment(
        Lanes.HALF_FLOAT, memory, at, LaneMemory.ORDER, active.cast(Lanes.HALF_FLOAT));
  }

  /** Reads float16. The lanes that are not active are 0, and not read. */
  public static FloatVector loadFloat16Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    IntVector bits = loadInt16Half(memory, at, active);
    return LaneMemory.ofFloat16(bits);
  }

  /** Reads bfloat16. The lanes that are not active are 0, and not read. */
  public static FloatVector loadBfloat16Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    IntVector bits = loadUint16Half(memory, at, active);
    return LaneMemory.ofBfloat16(bits);
  }

  /** Reads int8. The lanes that are not active are 0, and not read. */
  public static IntVector loadInt8Half(MemorySegment memory, long at, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(
            LaneMemory.HALF_BYTE, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.HALF_BYTE));
    return (IntVector) bytes.castShape(Lanes.HALF_INT, 0);
  }

  /** Reads uint8. The lanes that are not active are 0, and not read. */
  public static IntVector loadUint8Half(MemorySegment memory, long at, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(
            LaneMemory.HALF_BYTE, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.HALF_BYTE));
    return (IntVector) bytes.convertShape(ZERO_EXTEND_B2I, Lanes.HALF_INT, 0);
  }

  /** Reads int16. The lanes that are not active are 0, and not read. */
  public static IntVector loadInt16Half(MemorySegment memory, long at, VectorMask<Integer> active) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(
            LaneMemory.HALF_SHORT,
            memory,
            at,
            LaneMemory.ORDER,
            active.cast(LaneMemory.HALF_SHORT));
    return (IntVector) shorts.castShape(Lanes.HALF_INT, 0);
  }

  /** Reads uint16. The lanes that are not active are 0, and not read. */
  public static IntVector loadUint16Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(
            LaneMemory.HALF_SHORT,
            memory,
            at,
            LaneMemory.ORDER,
            active.cast(LaneMemory.HALF_SHORT));
    return (IntVector) shorts.convertShape(ZERO_EXTEND_S2I, Lanes.HALF_INT, 0);
  }

  /** Reads int32. The lanes that are not active are 0, and not read. */
  public static IntVector loadInt32Half(MemorySegment memory, long at, VectorMask<Integer> active) {
    return IntVector.fromMemorySegment(Lanes.HALF_INT, memory, at, LaneMemory.ORDER, active);
  }

  /** Reads uint32. The lanes that are not active are 0, and not read. */
  public static IntVector loadUint32Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    return IntVector.fromMemorySegment(Lanes.HALF_INT, memory, at, LaneMemory.ORDER, active);
  }

  /** Reads booleans; any byte but 0 is true. The lanes that are not active are 0, and not read. */
  public static VectorMask<Integer> loadBoolHalf(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(
            LaneMemory.HALF_BYTE, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.HALF_BYTE));
    return bytes.compare(NE, 0).cast(Lanes.HALF_INT);
  }

  /** Reads float64. The lanes that are not active are 0, and not read. */
  public static DoubleVector loadFloat64Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    return DoubleVector.fromMemorySegment(
        Lanes.DOUBLE, memory, at, LaneMemory.ORDER, active.cast(Lanes.DOUBLE));
  }

  /** Reads int64. The lanes that are not active are 0, and not read. */
  public static LongVector loadInt64Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    return LongVector.fromMemorySegment(
        Lanes.LONG, memory, at, LaneMemory.ORDER, active.cast(Lanes.LONG));
  }

  /** Reads uint64. The lanes that are not active are 0, and not read. */
  public static LongVector loadUint64Half(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    return LongVector.fromMemorySegment(
        Lanes.LONG, memory, at, LaneMemory.ORDER, active.cast(Lanes.LONG));
  }
}
