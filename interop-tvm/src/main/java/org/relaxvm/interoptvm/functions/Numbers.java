package org.relaxvm.interoptvm.functions;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/** Elements in memory, whatever number they are. Wide enough for all: a long or a double. */
final class Numbers {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Numbers() {}

  /**
   * A key that orders elements of one dtype as the kernel library does: not-a-number above all
   * numbers, both zeros equal.
   */
  static long key(DType dtype, MemorySegment memory, long at) {
    if (dtype.isFloat()) {
      double value = readFloat(dtype, memory, at);
      if (Double.isNaN(value)) {
        return Long.MAX_VALUE;
      }
      long bits = Double.doubleToLongBits(value + 0.0); // -0 + 0 is 0
      return bits ^ ((bits >> 63) & Long.MAX_VALUE);
    }
    long value = readWhole(dtype, memory, at);
    return dtype.equals(DType.UINT64) ? value ^ Long.MIN_VALUE : value;
  }

  /** An integer; of 64 unsigned bits as they are. */
  static long readWhole(DType dtype, MemorySegment memory, long at) {
    boolean signed = dtype.code() == TypeCode.INT;
    return switch (dtype.bits()) {
      case 8 -> signed ? memory.get(BYTE, at) : memory.get(BYTE, at) & 0xFF;
      case 16 -> signed ? memory.get(SHORT, at) : memory.get(SHORT, at) & 0xFFFF;
      case 32 -> signed ? memory.get(INT, at) : memory.get(INT, at) & 0xFFFFFFFFL;
      default -> memory.get(LONG, at);
    };
  }

  private static double readFloat(DType dtype, MemorySegment memory, long at) {
    return switch (dtype.bits()) {
      case 16 -> {
        short bits = memory.get(SHORT, at);
        yield dtype.equals(DType.BFLOAT16)
            ? Float.intBitsToFloat(bits << 16)
            : Float.float16ToFloat(bits);
      }
      case 32 -> Float.intBitsToFloat(memory.get(INT, at));
      default -> Double.longBitsToDouble(memory.get(LONG, at));
    };
  }

  /** Stores a whole number as an element: its lower bits, or the float nearest to it. */
  static void write(DType dtype, MemorySegment memory, long at, long value) {
    if (dtype.isFloat()) {
      write(dtype, memory, at, (double) value);
      return;
    }
    switch (dtype.bits()) {
      case 8 -> memory.set(BYTE, at, (byte) value);
      case 16 -> memory.set(SHORT, at, (short) value);
      case 32 -> memory.set(INT, at, (int) value);
      default -> memory.set(LONG, at, value);
    }
  }

  /** Stores a finite number as a float element, or its whole part as an integer. */
  static void write(DType dtype, MemorySegment memory, long at, double value) {
    if (!dtype.isFloat()) {
      write(dtype, memory, at, (long) value);
    } else if (dtype.equals(DType.BFLOAT16)) {
      int bits = Float.floatToRawIntBits((float) value);
      memory.set(SHORT, at, (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16));
    } else {
      switch (dtype.bits()) {
        case 16 -> memory.set(SHORT, at, Float.floatToFloat16((float) value));
        case 32 -> memory.set(INT, at, Float.floatToRawIntBits((float) value));
        default -> memory.set(LONG, at, Double.doubleToRawLongBits(value));
      }
    }
  }
}
