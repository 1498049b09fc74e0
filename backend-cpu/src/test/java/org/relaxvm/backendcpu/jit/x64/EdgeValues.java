package org.relaxvm.backendcpu.jit.x64;

import java.util.Arrays;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Type;

/** The bits of values at which operations may go wrong. */
final class EdgeValues {
  private static final double[] FLOATS = {
    0.0,
    -0.0,
    1,
    -1,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    0.5,
    -2.5,
    1.5,
    3.0e9,
    -2147483648.0,
    123456.789,
    0x1p62
  };
  private static final float[] SINGLE_FLOATS = {
    Float.MIN_VALUE, -Float.MIN_NORMAL, Float.MAX_VALUE, 65520, 6.1e-5f, 5.96e-8f, -0.33333f
  };
  private static final double[] DOUBLE_FLOATS = {
    Double.MIN_VALUE, -Double.MIN_NORMAL, Double.MAX_VALUE, 0x1p63, -0x1p63, 0x1p53 + 2, -1e-30
  };

  private static final double[] EXPONENTS = {
    0,
    1,
    -1,
    63,
    -64,
    127,
    128,
    -126,
    -149,
    -150,
    300,
    -300,
    1023,
    -1022,
    -1080,
    2200,
    -2200,
    1e9,
    Double.NaN
  };

  private EdgeValues() {}

  /** Values of a lane, or counts for a shift of a type. */
  static long[] of(Type type) {
    if (type.isFloat()) {
      long[] all = new long[FLOATS.length + SINGLE_FLOATS.length];
      for (int i = 0; i < all.length; i++) {
        boolean isCommon = i < FLOATS.length;
        all[i] =
            type.bits() == 32
                ? Float.floatToRawIntBits(
                    isCommon ? (float) FLOATS[i] : SINGLE_FLOATS[i - FLOATS.length])
                : Double.doubleToRawLongBits(
                    isCommon ? FLOATS[i] : DOUBLE_FLOATS[i - FLOATS.length]);
      }
      return all;
    }
    if (type.isMask()) {
      return new long[] {0, 1, 1, 0, 0};
    }
    int bits = type.bits();
    long min = -1L << (bits - 1);
    return new long[] {
      0,
      1,
      -1,
      2,
      7,
      min,
      ~min,
      min + 1,
      0x5555_5555_5555_5555L,
      1L << (bits / 2),
      -100,
      0x0123_4567_89AB_CDEFL * 3,
      0x7F7F_80FF_00FF_8001L,
      (1L << (bits / 2)) - 1
    };
  }

  /** Counts of shifts. */
  static long[] counts(int bits) {
    return new long[] {0, 1, bits - 1, bits / 2, bits / 2 - 1, 3};
  }

  /** Values of an operand of an operation, for which its result is defined. */
  static long[] of(Op op, int operand, Type type, Type result) {
    boolean isCount = (op == Op.SHL || op == Op.SHR || op == Op.SAR) && operand == 1;
    if (isCount) {
      return counts(result.bits());
    }
    if (op == Op.FIRST_LANES) {
      long[] all = new long[result.lanes() + 1];
      for (int i = 0; i < all.length; i++) {
        all[i] = i;
      }
      return all;
    }
    if (op == Op.SCALE && operand == 1) {
      return Arrays.stream(EXPONENTS)
          .mapToLong(
              x ->
                  type.bits() == 32
                      ? Float.floatToRawIntBits((float) x)
                      : Double.doubleToRawLongBits(x))
          .toArray();
    }
    boolean isDivisor =
        operand == 1 && (op == Op.DIV || op == Op.REM || op == Op.UDIV || op == Op.UREM);
    if (isDivisor && type.isWord()) {
      return Arrays.stream(of(type)).filter(value -> value != 0 && value != -1).toArray();
    }
    return of(type);
  }
}
