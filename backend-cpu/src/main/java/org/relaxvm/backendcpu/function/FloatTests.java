package org.relaxvm.backendcpu.function;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.KernelCall;

/**
 * Properties of floats, read from their bits: without the sign they have the order of the numbers,
 * infinity comes after all finite ones and NaN after infinity.
 */
final class FloatTests {
  private static final long FLOAT64_INFINITY = 0x7FF0_0000_0000_0000L;

  private FloatTests() {}

  enum Property {
    NAN,
    INFINITE,
    FINITE
  }

  static void run(KernelCall call, Property property) {
    DType dtype = call.tensor(0).dtype();
    int bytes = dtype.elementByteSize();
    if (bytes == Double.BYTES) {
      FunctionKernels.run(
          call,
          Codecs.longBits(),
          Codecs.truth(),
          (from, to, count) -> test(property, from, to, count));
    } else {
      int infinity = infinity(dtype);
      int size = -1 >>> (Integer.SIZE - 8 * bytes + 1);
      FunctionKernels.run(
          call,
          Codecs.bits(bytes),
          Codecs.truth(),
          (from, to, count) -> test(property, infinity, size, from, to, count));
    }
  }

  private static int infinity(DType dtype) {
    if (dtype.code() == TypeCode.BFLOAT) {
      return 0x7F80;
    }
    return dtype.bits() == 16 ? 0x7C00 : 0x7F80_0000;
  }

  private static void test(
      Property property, int infinity, int size, int[] from, int[] to, int count) {
    int shift = Integer.SIZE - 1;
    switch (property) {
      case NAN -> {
        for (int i = 0; i < count; i++) {
          to[i] = (infinity - (from[i] & size)) >>> shift;
        }
      }
      case INFINITE -> {
        for (int i = 0; i < count; i++) {
          to[i] = (((from[i] & size) ^ infinity) - 1) >>> shift;
        }
      }
      case FINITE -> {
        for (int i = 0; i < count; i++) {
          to[i] = ((from[i] & size) - infinity) >>> shift;
        }
      }
    }
  }

  private static void test(Property property, long[] from, int[] to, int count) {
    int shift = Long.SIZE - 1;
    switch (property) {
      case NAN -> {
        for (int i = 0; i < count; i++) {
          to[i] = (int) ((FLOAT64_INFINITY - (from[i] & Long.MAX_VALUE)) >>> shift);
        }
      }
      case INFINITE -> {
        for (int i = 0; i < count; i++) {
          to[i] = (int) ((((from[i] & Long.MAX_VALUE) ^ FLOAT64_INFINITY) - 1) >>> shift);
        }
      }
      case FINITE -> {
        for (int i = 0; i < count; i++) {
          to[i] = (int) (((from[i] & Long.MAX_VALUE) - FLOAT64_INFINITY) >>> shift);
        }
      }
    }
  }
}
