package org.relaxvm.tir.expr;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** What dtypes expressions may have. */
public final class DTypes {
  /** All dtypes that expressions may have, for messages. */
  public static final String NAMES =
      "bool, int8 to int64, uint8 to uint64, float8_e4m3fn, float8_e5m2, float16, bfloat16,"
          + " float32, float64";

  private DTypes() {}

  /** Whether values are integers of 8 to 64 bits or booleans. */
  public static boolean isIntegral(DType dtype) {
    return dtype.equals(DType.BOOL) || isInteger(dtype);
  }

  /** Whether values are integers of 8, 16, 32 or 64 bits. */
  public static boolean isInteger(DType dtype) {
    return dtype.isInteger()
        && dtype.bits() >= 8
        && Integer.bitCount(dtype.bits()) == 1
        && dtype.bits() <= 64;
  }

  /** Whether values are integers without a sign. */
  public static boolean isUnsigned(DType dtype) {
    return dtype.code() == TypeCode.UINT || dtype.code() == TypeCode.BOOL;
  }

  /** Whether an expression can have values of this dtype. */
  public static boolean isScalar(DType dtype) {
    return isIntegral(dtype) || dtype.isFloat();
  }

  static void requireScalar(DType dtype, String what) {
    if (!isScalar(dtype)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          what
              + " cannot be of dtype "
              + (dtype.equals(DType.VOID) ? "void" : dtype)
              + "\n  what there is: "
              + NAMES);
    }
  }

  /** Refuses a dtype whose values can be kept and cast, but not computed with. */
  static void requireComputable(DType dtype, String what) {
    if (dtype.isFloat8()) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          what
              + " does not compute with "
              + dtype
              + "\n  what to do: cast to float16 or float32, compute, and cast back");
    }
  }

  static void requireBool(DType dtype, String what) {
    if (!dtype.equals(DType.BOOL)) {
      throw new InvalidProgramException(ErrorKind.TYPE, what + " must be bool, but is " + dtype);
    }
  }

  static void requireSame(DType a, DType b, String what) {
    if (!a.equals(b)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, what + " needs operands of one dtype, but got " + a + " and " + b);
    }
  }
}
