package org.relaxvm.backendcuda;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.DType;

/** Elements of float dtypes that tests write and read, exact where the dtype has the number. */
final class Numbers {
  private Numbers() {}

  static double get(MemorySegment bytes, DType dtype, long index) {
    if (dtype.equals(DType.FLOAT64)) {
      return bytes.get(JAVA_DOUBLE_UNALIGNED, 8 * index);
    }
    if (dtype.equals(DType.FLOAT32)) {
      return bytes.get(JAVA_FLOAT_UNALIGNED, 4 * index);
    }
    short bits = bytes.get(JAVA_SHORT_UNALIGNED, 2 * index);
    return dtype.equals(DType.FLOAT16)
        ? Float.float16ToFloat(bits)
        : Float.intBitsToFloat(bits << 16);
  }

  static void set(MemorySegment bytes, DType dtype, long index, double value) {
    if (dtype.equals(DType.FLOAT64)) {
      bytes.set(JAVA_DOUBLE_UNALIGNED, 8 * index, value);
    } else if (dtype.equals(DType.FLOAT32)) {
      bytes.set(JAVA_FLOAT_UNALIGNED, 4 * index, (float) value);
    } else {
      bytes.set(JAVA_SHORT_UNALIGNED, 2 * index, bits(dtype, (float) value));
    }
  }

  private static short bits(DType dtype, float value) {
    return dtype.equals(DType.FLOAT16)
        ? Float.floatToFloat16(value)
        : (short) (Float.floatToRawIntBits(value) >>> 16);
  }
}
