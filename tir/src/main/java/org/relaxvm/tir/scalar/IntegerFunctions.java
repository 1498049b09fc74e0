package org.relaxvm.tir.scalar;

import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * Functions of integers. Values are longs in the range of their dtype; of {@code uint64} the same
 * 64 bits.
 */
public final class IntegerFunctions {
  private IntegerFunctions() {}

  /** A function of one integer. */
  public static long apply(Intrinsic op, DType dtype, long x) {
    return switch (op) {
      case ABS -> IntegerMath.wrap(dtype, DTypes.isUnsigned(dtype) ? x : Math.abs(x));
      case BITWISE_NOT -> IntegerMath.wrap(dtype, ~x);
      default -> throw notHere(op);
    };
  }

  /** A function of two integers. */
  public static long apply(Intrinsic op, DType dtype, long a, long b) {
    return switch (op) {
      case POW -> pow(dtype, a, b);
      case BITWISE_AND -> a & b;
      case BITWISE_OR -> a | b;
      case BITWISE_XOR -> a ^ b;
      case SHIFT_LEFT -> isWithin(dtype, b) ? IntegerMath.wrap(dtype, a << b) : 0;
      case SHIFT_RIGHT -> shiftRight(dtype, a, b);
      default -> throw notHere(op);
    };
  }

  /**
   * {@code a} to the power of {@code b}, wrapped around; a negative exponent gives 0 unless {@code
   * a} is 1 or -1.
   */
  public static long pow(DType dtype, long a, long b) {
    if (b < 0 && !DTypes.isUnsigned(dtype)) {
      return a == 1 || (a == -1 && (b & 1) == 0) ? 1 : a == -1 ? -1 : 0;
    }
    long result = 1;
    long square = a;
    for (long remaining = b; remaining != 0; remaining >>>= 1) {
      if ((remaining & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return IntegerMath.wrap(dtype, result);
  }

  private static long shiftRight(DType dtype, long a, long b) {
    if (DTypes.isUnsigned(dtype)) {
      return isWithin(dtype, b) ? a >>> b : 0;
    }
    return a >> (isWithin(dtype, b) ? b : Long.SIZE - 1);
  }

  private static boolean isWithin(DType dtype, long shift) {
    return shift >= 0 && shift < dtype.bits();
  }

  private static InvalidProgramException notHere(Intrinsic op) {
    return new InvalidProgramException(
        ErrorKind.TYPE, op.text() + " is no function of these integers");
  }
}
