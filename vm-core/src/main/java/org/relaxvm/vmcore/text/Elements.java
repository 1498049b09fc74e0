package org.relaxvm.vmcore.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/**
 * Elements of tensors as program text, for the element types that have a plain notation: bool,
 * integers of 8 to 64 bits, float16, float32, float64 and bfloat16.
 */
final class Elements {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final short BFLOAT16_NAN = (short) 0x7FC0;

  private Elements() {}

  /** Whether elements of this type can be written and read. */
  static boolean supports(DType dtype) {
    if (dtype.lanes() != 1) {
      return false;
    }
    int bits = dtype.bits();
    return switch (dtype.code()) {
      case INT, UINT -> bits == 8 || bits == 16 || bits == 32 || bits == 64;
      case FLOAT -> bits == 16 || bits == 32 || bits == 64;
      case BFLOAT -> bits == 16;
      case BOOL -> bits == 8;
      default -> false;
    };
  }

  /** The text of an element, or empty when no text gives exactly these bits. */
  static Optional<String> print(DType dtype, MemorySegment memory, long index) {
    long at = index * (dtype.bits() / 8);
    return switch (dtype.code()) {
      case FLOAT, BFLOAT -> printFloat(dtype, memory, at);
      case BOOL -> {
        byte value = memory.get(ValueLayout.JAVA_BYTE, at);
        yield value == 0 || value == 1
            ? Optional.of(value == 1 ? "true" : "false")
            : Optional.empty();
      }
      default -> Optional.of(printInteger(dtype, memory, at));
    };
  }

  /**
   * Writes the element that a text stands for.
   *
   * @throws NumberFormatException when it is no number of this type
   */
  static void parse(DType dtype, String text, MemorySegment memory, long index) {
    long at = index * (dtype.bits() / 8);
    switch (dtype.code()) {
      case FLOAT, BFLOAT -> parseFloat(dtype, text, memory, at);
      case BOOL -> {
        boolean known = text.equals("true") || text.equals("false");
        if (!known && !text.equals("0") && !text.equals("1")) {
          throw new NumberFormatException(text);
        }
        boolean value = text.equals("true") || text.equals("1");
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (value ? 1 : 0));
      }
      default -> parseInteger(dtype, text, memory, at);
    }
  }

  private static Optional<String> printFloat(DType dtype, MemorySegment memory, long at) {
    if (dtype.equals(DType.FLOAT64)) {
      long bits = memory.get(LONG, at);
      double value = Double.longBitsToDouble(bits);
      boolean exact = !Double.isNaN(value) || bits == Double.doubleToLongBits(Double.NaN);
      return exact ? Optional.of(Numbers.print(value)) : Optional.empty();
    }
    if (dtype.equals(DType.FLOAT32)) {
      int bits = memory.get(INT, at);
      float value = Float.intBitsToFloat(bits);
      boolean exact = !Float.isNaN(value) || bits == Float.floatToIntBits(Float.NaN);
      return exact ? Optional.of(Numbers.print(value)) : Optional.empty();
    }
    short bits = memory.get(SHORT, at);
    boolean half = dtype.code() == TypeCode.FLOAT;
    float value = half ? Float.float16ToFloat(bits) : Float.intBitsToFloat(bits << 16);
    short nan = half ? Float.floatToFloat16(Float.NaN) : BFLOAT16_NAN;
    boolean exact = !Float.isNaN(value) || bits == nan;
    return exact ? Optional.of(Numbers.print(value)) : Optional.empty();
  }

  private static void parseFloat(DType dtype, String text, MemorySegment memory, long at) {
    if (dtype.equals(DType.FLOAT64)) {
      memory.set(LONG, at, Double.doubleToLongBits(Numbers.parseDouble(text)));
      return;
    }
    float value = Numbers.parseFloat(text);
    if (dtype.equals(DType.FLOAT32)) {
      memory.set(INT, at, Float.floatToIntBits(value));
      return;
    }
    boolean half = dtype.code() == TypeCode.FLOAT;
    short bits = half ? Float.floatToFloat16(value) : bfloat16(value);
    float rounded = half ? Float.float16ToFloat(bits) : Float.intBitsToFloat(bits << 16);
    if (Float.isInfinite(rounded) && !Float.isInfinite(value)) {
      throw new NumberFormatException(text);
    }
    memory.set(SHORT, at, bits);
  }

  /** Rounds to nearest, ties to even. */
  private static short bfloat16(float value) {
    if (Float.isNaN(value)) {
      return BFLOAT16_NAN;
    }
    int bits = Float.floatToIntBits(value);
    int rounding = 0x7FFF + ((bits >>> 16) & 1);
    return (short) ((bits + rounding) >>> 16);
  }

  private static String printInteger(DType dtype, MemorySegment memory, long at) {
    boolean unsigned = dtype.code() == TypeCode.UINT;
    return switch (dtype.bits()) {
      case 8 -> {
        byte value = memory.get(ValueLayout.JAVA_BYTE, at);
        yield Integer.toString(unsigned ? value & 0xFF : value);
      }
      case 16 -> {
        short value = memory.get(SHORT, at);
        yield Integer.toString(unsigned ? value & 0xFFFF : value);
      }
      case 32 -> {
        int value = memory.get(INT, at);
        yield unsigned ? Integer.toUnsignedString(value) : Integer.toString(value);
      }
      default -> {
        long value = memory.get(LONG, at);
        yield unsigned ? Long.toUnsignedString(value) : Long.toString(value);
      }
    };
  }

  private static void parseInteger(DType dtype, String text, MemorySegment memory, long at) {
    boolean unsigned = dtype.code() == TypeCode.UINT;
    int bits = dtype.bits();
    long value = unsigned ? Numbers.parseUnsignedLong(text) : Numbers.parseLong(text);
    if (bits < 64) {
      long top = value >> (unsigned ? bits : bits - 1);
      if (top != 0 && (unsigned || top != -1)) {
        throw new NumberFormatException(text);
      }
    }
    switch (bits) {
      case 8 -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
      case 16 -> memory.set(SHORT, at, (short) value);
      case 32 -> memory.set(INT, at, (int) value);
      default -> memory.set(LONG, at, value);
    }
  }
}
