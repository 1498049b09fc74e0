package org.relaxvm.backendtestkit.definition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.api.TypeCode;

/**
 * Elements of all dtypes in one form: a float is the bits of its value as a double, an integer is
 * itself, extended to 64 bits, a boolean is 0 or 1.
 */
public final class ElementBits {
  private ElementBits() {}

  /** Reads an element of host memory. */
  public static long read(MemorySegment memory, long byteOffset, DType dtype) {
    long raw =
        switch (dtype.bits()) {
          case 8 -> memory.get(ValueLayout.JAVA_BYTE, byteOffset);
          case 16 -> memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, byteOffset);
          case 32 -> memory.get(ValueLayout.JAVA_INT_UNALIGNED, byteOffset);
          default -> memory.get(ValueLayout.JAVA_LONG_UNALIGNED, byteOffset);
        };
    if (!dtype.isFloat()) {
      return wrap(raw, dtype);
    }
    if (dtype.equals(DType.FLOAT64)) {
      return raw;
    }
    if (dtype.isFloat8()) {
      return ofDouble(Float8.of(dtype).orElseThrow().toFloat((byte) raw));
    }
    float value =
        dtype.equals(DType.FLOAT32)
            ? Float.intBitsToFloat((int) raw)
            : dtype.equals(DType.FLOAT16)
                ? Float.float16ToFloat((short) raw)
                : Float.intBitsToFloat((int) raw << 16);
    return ofDouble(value);
  }

  /** Writes an element to host memory, rounded or cut to the dtype. */
  public static void write(MemorySegment memory, long byteOffset, DType dtype, long bits) {
    long raw = dtype.isFloat() ? rawFloat(Double.longBitsToDouble(bits), dtype) : wrap(bits, dtype);
    switch (dtype.bits()) {
      case 8 -> memory.set(ValueLayout.JAVA_BYTE, byteOffset, (byte) raw);
      case 16 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, byteOffset, (short) raw);
      case 32 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, byteOffset, (int) raw);
      default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, byteOffset, raw);
    }
  }

  /** The bits of a float. */
  public static long ofDouble(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** The value of an element; large integers are rounded. */
  public static double toDouble(long bits, DType dtype) {
    if (dtype.isFloat()) {
      return Double.longBitsToDouble(bits);
    }
    // Half of it has a sign bit to spare; its last bit says whether more was cut off.
    return isUnsigned(dtype) && bits < 0 ? 2.0 * ((bits >>> 1) | (bits & 1)) : (double) bits;
  }

  /** Converts an element as {@code relaxvm.cast} does. */
  public static long convert(long bits, DType from, DType to) {
    if (to.equals(DType.BOOL)) {
      return toDouble(bits, from) != 0 ? 1 : 0;
    }
    if (from.isFloat()) {
      return to.isFloat() ? bits : saturate(Double.longBitsToDouble(bits), to);
    }
    if (!to.isFloat()) {
      return wrap(bits, to);
    }
    if (to.equals(DType.FLOAT64)) {
      return ofDouble(toDouble(bits, from));
    }
    // Rounding to odd first keeps the later rounding to fewer bits right.
    boolean huge = isUnsigned(from) && bits < 0;
    double value =
        huge
            ? oddDouble((bits >>> 1) | (bits & 1)) * 2
            : Math.copySign(oddDouble(Math.abs(bits)), bits);
    return ofDouble(value);
  }

  /** Keeps the low bits that an integer dtype has, and extends them to 64. */
  public static long wrap(long value, DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return value != 0 ? 1 : 0;
    }
    int drop = 64 - dtype.bits();
    return isUnsigned(dtype) ? value << drop >>> drop : value << drop >> drop;
  }

  /** The element as reading it back gives it. */
  public static long stored(long bits, DType dtype) {
    MemorySegment one = MemorySegment.ofArray(new long[1]);
    write(one, 0, dtype, bits);
    return read(one, 0, dtype);
  }

  /** Whether a dtype is an integer without a sign. */
  public static boolean isUnsigned(DType dtype) {
    return dtype.code() == TypeCode.UINT;
  }

  /** The order of two elements of one dtype that are not NaN. */
  static int compare(long a, long b, DType dtype) {
    if (dtype.isFloat()) {
      return Double.compare(Double.longBitsToDouble(a), Double.longBitsToDouble(b));
    }
    return isUnsigned(dtype) ? Long.compareUnsigned(a, b) : Long.compare(a, b);
  }

  private static long saturate(double value, DType to) {
    if (!isUnsigned(to)) {
      long limit = Long.MAX_VALUE >> (64 - to.bits());
      return Math.clamp((long) value, -limit - 1, limit);
    }
    if (to.bits() < 64) {
      return Math.clamp((long) value, 0L, (1L << to.bits()) - 1);
    }
    if (!(value > 0)) {
      return 0;
    }
    if (value >= 0x1p64) {
      return -1;
    }
    return value < 0x1p63 ? (long) value : (long) (value - 0x1p63) ^ Long.MIN_VALUE;
  }

  private static long rawFloat(double value, DType dtype) {
    if (dtype.equals(DType.FLOAT64)) {
      return Double.doubleToRawLongBits(value);
    }
    if (dtype.equals(DType.FLOAT32)) {
      return Float.floatToRawIntBits((float) value);
    }
    float odd = oddFloat(value);
    if (dtype.equals(DType.FLOAT16)) {
      return Float.floatToFloat16(odd);
    }
    if (dtype.isFloat8()) {
      return Float8.of(dtype).orElseThrow().ofFloat(odd);
    }
    int bits = Float.floatToRawIntBits(odd);
    return Float.isNaN(odd) ? (bits >>> 16) | 0x40 : (bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16;
  }

  /** The float next to a double, with a last bit of 1 when it is not exact. */
  private static float oddFloat(double value) {
    float near = (float) value;
    if (near == value || Float.isNaN(near)) {
      return near;
    }
    boolean above = Math.abs((double) near) > Math.abs(value);
    int bits = Float.floatToRawIntBits(near) - (above ? 1 : 0);
    return Float.intBitsToFloat(bits | 1);
  }

  /** The double next to a positive integer, with a last bit of 1 when it is not exact. */
  private static double oddDouble(long magnitude) {
    int drop = Math.max(0, 64 - Long.numberOfLeadingZeros(magnitude) - 53);
    long kept = magnitude >>> drop << drop;
    // Math.abs of the smallest integer is itself, a power of two.
    double value = (double) (kept == magnitude ? kept : kept | (1L << drop));
    return Math.abs(value);
  }
}
