package org.relaxvm.tir.scalar;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.tir.expr.IntegerMath;

/** Elements in memory as the scalars of {@link Scalars}: little endian, aligned or not. */
public final class ScalarMemory {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ScalarMemory() {}

  /** Reads an element. Any byte but 0 is true. */
  public static long read(MemorySegment memory, long byteOffset, DType dtype) {
    long raw =
        switch (dtype.bits()) {
          case 8 -> memory.get(ValueLayout.JAVA_BYTE, byteOffset);
          case 16 -> memory.get(SHORT, byteOffset);
          case 32 -> memory.get(INT, byteOffset);
          default -> memory.get(LONG, byteOffset);
        };
    if (!dtype.isFloat()) {
      return dtype.equals(DType.BOOL) ? (raw != 0 ? 1 : 0) : IntegerMath.wrap(dtype, raw);
    }
    if (dtype.equals(DType.FLOAT64)) {
      return raw;
    }
    if (dtype.isFloat8()) {
      return Double.doubleToRawLongBits(Float8.of(dtype).orElseThrow().toFloat((byte) raw));
    }
    float value =
        dtype.equals(DType.FLOAT32)
            ? Float.intBitsToFloat((int) raw)
            : dtype.equals(DType.FLOAT16)
                ? Float.float16ToFloat((short) raw)
                : Float.intBitsToFloat((int) raw << 16);
    return Double.doubleToRawLongBits(value);
  }

  /** Writes an element. A float must be a number of the dtype, as {@link FloatRounding} gives. */
  public static void write(MemorySegment memory, long byteOffset, DType dtype, long value) {
    long raw = dtype.isFloat() ? rawFloat(dtype, value) : value;
    switch (dtype.bits()) {
      case 8 -> memory.set(ValueLayout.JAVA_BYTE, byteOffset, (byte) raw);
      case 16 -> memory.set(SHORT, byteOffset, (short) raw);
      case 32 -> memory.set(INT, byteOffset, (int) raw);
      default -> memory.set(LONG, byteOffset, raw);
    }
  }

  private static long rawFloat(DType dtype, long value) {
    if (dtype.equals(DType.FLOAT64)) {
      return value;
    }
    float number = (float) Scalars.toDouble(value);
    if (dtype.equals(DType.FLOAT16)) {
      return Float.floatToFloat16(number);
    }
    if (dtype.isFloat8()) {
      return Float8.of(dtype).orElseThrow().ofFloat(number);
    }
    int bits = Float.floatToRawIntBits(number);
    if (dtype.equals(DType.FLOAT32)) {
      return bits;
    }
    // What makes it a NaN may be among the bits that are cut off.
    return Float.isNaN(number) ? bits >>> 16 | 0x40 : bits >>> 16;
  }
}
