package org.relaxvm.backendcpu.codegen;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.Float8;

/** Single elements in memory as generated code holds them. Offsets are in bytes. */
public final class ScalarAccess {
  private ScalarAccess() {}

  /** Reads an element. */
  public static float loadFloat32(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
  }

  /** Reads an element. */
  public static double loadFloat64(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at);
  }

  /** Reads an element. */
  public static float loadFloat16(MemorySegment memory, long at) {
    return Float.float16ToFloat(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
  }

  /** Reads an element. */
  public static float loadBfloat16(MemorySegment memory, long at) {
    return Float.intBitsToFloat(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) << 16);
  }

  /** Reads an element. */
  public static float loadFloat8E4m3fn(MemorySegment memory, long at) {
    return Float8.E4M3FN.toFloat(memory.get(ValueLayout.JAVA_BYTE, at));
  }

  /** Reads an element. */
  public static float loadFloat8E5m2(MemorySegment memory, long at) {
    return Float8.E5M2.toFloat(memory.get(ValueLayout.JAVA_BYTE, at));
  }

  /** Reads an element. */
  public static int loadInt8(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_BYTE, at);
  }

  /** Reads an element. */
  public static int loadUint8(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_BYTE, at) & 0xff;
  }

  /** Reads an element: any byte but 0 is true. */
  public static int loadBool(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_BYTE, at) != 0 ? 1 : 0;
  }

  /** Reads an element. */
  public static int loadInt16(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
  }

  /** Reads an element. */
  public static int loadUint16(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0xffff;
  }

  /** Reads an element. */
  public static int loadInt32(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
  }

  /** Reads an element. */
  public static long loadUint32(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xffff_ffffL;
  }

  /** Reads an element. */
  public static long loadInt64(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  /** Reads an element. */
  public static long loadUint64(MemorySegment memory, long at) {
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  /** Writes an element. */
  public static void storeFloat32(MemorySegment memory, long at, float value) {
    memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, value);
  }

  /** Writes an element. */
  public static void storeFloat64(MemorySegment memory, long at, double value) {
    memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, value);
  }

  /** Writes an element, which is a number of the dtype. */
  public static void storeFloat16(MemorySegment memory, long at, float value) {
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
  }

  /** Writes an element, which is a number of the dtype. */
  public static void storeBfloat16(MemorySegment memory, long at, float value) {
    int bits = Float.floatToRawIntBits(value) >>> 16;
    // What makes it a NaN may be among the bits that are cut off.
    memory.set(
        ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) (Float.isNaN(value) ? bits | 0x40 : bits));
  }

  /** Writes an element, which is a number of the dtype. */
  public static void storeFloat8E4m3fn(MemorySegment memory, long at, float value) {
    memory.set(ValueLayout.JAVA_BYTE, at, Float8.E4M3FN.ofFloat(value));
  }

  /** Writes an element, which is a number of the dtype. */
  public static void storeFloat8E5m2(MemorySegment memory, long at, float value) {
    memory.set(ValueLayout.JAVA_BYTE, at, Float8.E5M2.ofFloat(value));
  }

  /** Writes an element. */
  public static void storeInt8(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  /** Writes an element. */
  public static void storeUint8(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  /** Writes an element. */
  public static void storeBool(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  /** Writes an element. */
  public static void storeInt16(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
  }

  /** Writes an element. */
  public static void storeUint16(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) value);
  }

  /** Writes an element. */
  public static void storeInt32(MemorySegment memory, long at, int value) {
    memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, value);
  }

  /** Writes an element. */
  public static void storeUint32(MemorySegment memory, long at, long value) {
    memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) value);
  }

  /** Writes an element. */
  public static void storeInt64(MemorySegment memory, long at, long value) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
  }

  /** Writes an element. */
  public static void storeUint64(MemorySegment memory, long at, long value) {
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, value);
  }
}
