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

/** Reads full vectors from memory, of the lanes that are active. See {@link LaneMemory}. */
public final class FullMaskedLoads {
  private FullMaskedLoads() {}

  /** Reads float32. The lanes that are not active are 0, and not read. */
  public static FloatVector loadFloat32(MemorySegment memory, long at, VectorMask<Integer> active) {
    return FloatVector.fromMemorySegment(
        Lanes.FLOAT, memory, at, LaneMemory.ORDER, active.cast(Lanes.FLOAT));
  }

  /** Reads float16. The lanes that are not active are 0, and not read. */
  public static FloatVector loadFloat16(MemorySegment memory, long at, VectorMask<Integer> active) {
    IntVector bits = loadInt16(memory, at, active);
    return LaneMemory.ofFloat16(bits);
  }

  /** Reads bfloat16. The lanes that are not active are 0, and not read. */
  public static FloatVector loadBfloat16(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    IntVector bits = loadUint16(memory, at, active);
    return LaneMemory.ofBfloat16(bits);
  }

  /** Reads int8. The lanes that are not active are 0, and not read. */
  public static IntVector loadInt8(MemorySegment memory, long at, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(
            LaneMemory.BYTE, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.BYTE));
    return (IntVector) bytes.castShape(Lanes.INT, 0);
  }

  /** Reads uint8. The lanes that are not active are 0, and not read. */
  public static IntVector loadUint8(MemorySegment memory, long at, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(
            LaneMemory.BYTE, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.BYTE));
    return (IntVector) bytes.convertShape(ZERO_EXTEND_B2I, Lanes.INT, 0);
  }

  /** Reads int16. The lanes that are not active are 0, and not read. */
  public static IntVector loadInt16(MemorySegment memory, long at, VectorMask<Integer> active) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(
            LaneMemory.SHORT, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.SHORT));
    return (IntVector) shorts.castShape(Lanes.INT, 0);
  }

  /** Reads uint16. The lanes that are not active are 0, and not read. */
  public static IntVector loadUint16(MemorySegment memory, long at, VectorMask<Integer> active) {
    ShortVector shorts =
        ShortVector.fromMemorySegment(
            LaneMemory.SHORT, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.SHORT));
    return (IntVector) shorts.convertShape(ZERO_EXTEND_S2I, Lanes.INT, 0);
  }

  /** Reads int32. The lanes that are not active are 0, and not read. */
  public static IntVector loadInt32(MemorySegment memory, long at, VectorMask<Integer> active) {
    return IntVector.fromMemorySegment(Lanes.INT, memory, at, LaneMemory.ORDER, active);
  }

  /** Reads uint32. The lanes that are not active are 0, and not read. */
  public static IntVector loadUint32(MemorySegment memory, long at, VectorMask<Integer> active) {
    return IntVector.fromMemorySegment(Lanes.INT, memory, at, LaneMemory.ORDER, active);
  }

  /** Reads booleans; any byte but 0 is true. The lanes that are not active are 0, and not read. */
  public static VectorMask<Integer> loadBool(
      MemorySegment memory, long at, VectorMask<Integer> active) {
    ByteVector bytes =
        ByteVector.fromMemorySegment(
            LaneMemory.BYTE, memory, at, LaneMemory.ORDER, active.cast(LaneMemory.BYTE));
    return bytes.compare(NE, 0).cast(Lanes.INT);
  }
}
