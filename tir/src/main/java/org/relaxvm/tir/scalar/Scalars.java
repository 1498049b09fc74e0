package org.relaxvm.tir.scalar;

import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;

/**
 * Operations on scalars of any dtype in one form, a long: a float is the bits of its value as a
 * double, an integer itself ({@code uint64} the same 64 bits), a boolean 0 or 1. Results of floats
 * are rounded to their dtype.
 */
public final class Scalars {
  private Scalars() {}

  /** The form of a float, rounded to its dtype. */
  public static long ofDouble(DType dtype, double value) {
    return Double.doubleToRawLongBits(FloatRounding.round(dtype, value));
  }

  /** The float of a form. */
  public static double toDouble(long value) {
    return Double.longBitsToDouble(value);
  }

  /**
   * The result of an operation.
   *
   * @param dtype of the operands
   * @throws CallException a {@code ValueError} for a division of integers by 0
   */
  public static long binary(BinaryOp op, DType dtype, long a, long b) {
    if (!dtype.isFloat()) {
      return IntegerMath.apply(op, dtype, a, b);
    }
    double x = toDouble(a);
    double y = toDouble(b);
    return op.kind() == BinaryOp.Kind.COMPARISON
        ? ofBoolean(FloatMath.compare(op, x, y))
        : ofDouble(dtype, FloatMath.apply(op, x, y));
  }

  /**
   * A function of one scalar.
   *
   * @param dtype of the argument
   */
  public static long call(Intrinsic op, DType dtype, long x) {
    requireArity(op, 1);
    if (op.rule() == Intrinsic.Rule.FLOAT_TEST) {
      return ofBoolean(FloatFunctions.test(op, toDouble(x)));
    }
    return dtype.isFloat()
        ? ofDouble(dtype, FloatFunctions.apply(op, toDouble(x)))
        : IntegerFunctions.apply(op, dtype, x);
  }

  /**
   * A function of two scalars.
   *
   * @param dtype of the arguments
   */
  public static long call(Intrinsic op, DType dtype, long a, long b) {
    requireArity(op, 2);
    return dtype.isFloat()
        ? ofDouble(dtype, FloatFunctions.apply(op, toDouble(a), toDouble(b)))
        : IntegerFunctions.apply(op, dtype, a, b);
  }

  /** A scalar as another dtype. */
  public static long cast(DType from, DType to, long value) {
    if (from.isFloat()) {
      double x = toDouble(value);
      return to.isFloat()
          ? Double.doubleToRawLongBits(Casts.floatToFloat(to, x))
          : Casts.floatToInteger(to, x);
    }
    return to.isFloat()
        ? Double.doubleToRawLongBits(Casts.integerToFloat(from, to, value))
        : Casts.integerToInteger(to, value);
  }

  /** A Boolean, Double or Long, as packed functions take them. */
  public static Object box(DType dtype, long value) {
    if (dtype.equals(DType.BOOL)) {
      return value != 0;
    }
    if (dtype.isFloat()) {
      return toDouble(value);
    }
    return value;
  }

  /** The number for people. */
  public static String text(DType dtype, long value) {
    return dtype.equals(DType.UINT64)
        ? Long.toUnsignedString(value)
        : String.valueOf(box(dtype, value));
  }

  private static long ofBoolean(boolean value) {
    return value ? 1 : 0;
  }

  private static void requireArity(Intrinsic op, int got) {
    if (op.arity() != got) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, op.text() + " takes " + Count.arguments(op.arity()) + ", but got " + got);
    }
  }
}
