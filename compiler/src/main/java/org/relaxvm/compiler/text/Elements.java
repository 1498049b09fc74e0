package org.relaxvm.compiler.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/** Single elements of constants as text and back, each bit kept. */
final class Elements {
  private static final int BFLOAT16_SHIFT = 16;
  private static final int QUIET_NAN = 0x7fc00000;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Elements() {}

  /** Whether there is a literal of this dtype. */
  static boolean hasLiterals(DType dtype) {
    return dtype.equals(DType.BOOL) || isFloat(dtype) || isInteger(dtype);
  }

  private static boolean isFloat(DType dtype) {
    return dtype.equals(DType.FLOAT16)
        || dtype.equals(DType.BFLOAT16)
        || dtype.equals(DType.FLOAT32)
        || dtype.equals(DType.FLOAT64);
  }

  private static boolean isInteger(DType dtype) {
    return dtype.lanes() == 1
        && dtype.isInteger()
        && (dtype.bits() == 8 || dtype.bits() == 16 || dtype.bits() == 32 || dtype.bits() == 64);
  }

  /** An element as text; empty when no literal is read as these bits. */
  static Optional<String> print(Tensor tensor, long index) {
    MemorySegment memory = tensor.segment();
    DType dtype = tensor.dtype();
    int size = dtype.elementByteSize();
    long bits =
        switch (size) {
          case 1 -> memory.get(ValueLayout.JAVA_BYTE, index);
          case 2 -> memory.get(SHORT, index * size);
          case 4 -> memory.get(INT, index * size);
          default -> memory.get(LONG, index * size);
        };
    String text = print(dtype, bits);
    ByteBuffer again = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    boolean isRead = put(again, dtype, text);
    return isRead
            && memory.asSlice(index * size, size).mismatch(MemorySegment.ofArray(again.array())) < 0
        ? Optional.of(text)
        : Optional.empty();
  }

  private static String print(DType dtype, long bits) {
    if (dtype.equals(DType.BOOL)) {
      return bits != 0 ? "True" : "False";
    }
    if (dtype.equals(DType.FLOAT64)) {
      return AttrText.print(Double.longBitsToDouble(bits));
    }
    if (isFloat(dtype)) {
      float value = toFloat(dtype, bits);
      return Float.isFinite(value)
          ? Float.toString(value).replace('E', 'e')
          : AttrText.print(value);
    }
    boolean isUnsigned = dtype.equals(DType.parse("uint" + dtype.bits()));
    int unused = Long.SIZE - dtype.bits();
    return isUnsigned
        ? Long.toUnsignedString(bits << unused >>> unused)
        : Long.toString(bits << unused >> unused);
  }

  private static float toFloat(DType dtype, long bits) {
    if (dtype.equals(DType.FLOAT16)) {
      return Float.float16ToFloat((short) bits);
    }
    return Float.intBitsToFloat(
        dtype.equals(DType.BFLOAT16) ? (int) bits << BFLOAT16_SHIFT : (int) bits);
  }

  /** Appends what a text stands for; false when it does not fit the dtype. */
  static boolean put(ByteBuffer out, DType dtype, String text) {
    try {
      if (dtype.equals(DType.BOOL)) {
        return putBoolean(out, text);
      }
      if (isFloat(dtype)) {
        putFloat(out, dtype, text);
        return true;
      }
      return putInteger(out, dtype, text);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean putBoolean(ByteBuffer out, String text) {
    boolean isTrue = text.equals("True") || text.equals("1");
    if (!isTrue && !text.equals("False") && !text.equals("0")) {
      return false;
    }
    out.put((byte) (isTrue ? 1 : 0));
    return true;
  }

  private static void putFloat(ByteBuffer out, DType dtype, String text) {
    String digits =
        switch (text) {
          case "True" -> "1";
          case "False" -> "0";
          case "float(\"nan\")" -> "NaN";
          case "float(\"inf\")" -> "Infinity";
          case "float(\"-inf\")" -> "-Infinity";
          default -> text;
        };
    if (dtype.equals(DType.FLOAT64)) {
      out.putDouble(Double.parseDouble(digits));
      return;
    }
    float value = Float.parseFloat(digits);
    if (dtype.equals(DType.FLOAT32)) {
      out.putFloat(value);
    } else if (dtype.equals(DType.FLOAT16)) {
      out.putShort(Float.floatToFloat16(value));
    } else {
      out.putShort(bfloat16(value));
    }
  }

  /** The nearest one; of two, the even one. */
  private static short bfloat16(float value) {
    int bits = Float.isNaN(value) ? QUIET_NAN : Float.floatToRawIntBits(value);
    int lowest = (bits >>> BFLOAT16_SHIFT) & 1;
    return (short) ((bits + 0x7fff + lowest) >>> BFLOAT16_SHIFT);
  }

  private static boolean putInteger(ByteBuffer out, DType dtype, String text) {
    String digits = text.equals("True") ? "1" : text.equals("False") ? "0" : text;
    boolean isUnsigned = dtype.equals(DType.parse("uint" + dtype.bits()));
    long value = isUnsigned ? Long.parseUnsignedLong(digits) : Long.parseLong(digits);
    int unused = Long.SIZE - dtype.bits();
    long kept = isUnsigned ? value << unused >>> unused : value << unused >> unused;
    if (kept != value || (isUnsigned && digits.startsWith("-"))) {
      return false;
    }
    switch (dtype.bits()) {
      case 8 -> out.put((byte) value);
      case 16 -> out.putShort((short) value);
      case 32 -> out.putInt((int) value);
      default -> out.putLong(value);
    }
    return true;
  }
}
