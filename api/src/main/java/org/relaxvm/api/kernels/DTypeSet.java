package org.relaxvm.api.kernels;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/** The dtypes that an argument of a library kernel may have. */
public enum DTypeSet {
  /** No tensor, so no dtype. */
  NONE(""),
  /** Floating-point numbers; the 16-bit ones are computed in float32 and rounded when stored. */
  FLOATS("float16, bfloat16, float32 or float64"),
  /** Floating-point numbers and signed and unsigned integers of 8 to 64 bits. */
  NUMBERS("float16, bfloat16, float32, float64, int8 to int64 or uint8 to uint64"),
  /** Signed and unsigned integers of 8 to 64 bits. */
  INTEGERS("int8 to int64 or uint8 to uint64"),
  /** Integers of 8 bits. */
  BYTES("int8 or uint8"),
  /** Signed integers of 32 bits. */
  INT32("int32"),
  /** Integers that say where an element is. */
  INDICES("int32 or int64"),
  /** Booleans: one byte, 0 or 1; any other byte is read as true. */
  BOOL("bool"),
  /** Numbers and booleans. */
  ALL("float16, bfloat16, float32, float64, int8 to int64, uint8 to uint64 or bool"),
  /** All, and floating-point numbers of 8 bits, which nothing computes with. */
  CASTABLE(
      "float8_e4m3fn, float8_e5m2, float16, bfloat16, float32, float64, int8 to int64, uint8 to"
          + " uint64 or bool");

  private final String text;

  DTypeSet(String text) {
    this.text = text;
  }

  /** The members, for documents and messages. */
  public String text() {
    return text;
  }

  /** Whether a dtype is a member. */
  public boolean contains(DType dtype) {
    return switch (this) {
      case NONE -> false;
      case FLOATS -> isFloat(dtype);
      case NUMBERS -> isFloat(dtype) || isInteger(dtype);
      case INTEGERS -> isInteger(dtype);
      case BYTES -> dtype.equals(DType.INT8) || dtype.equals(DType.UINT8);
      case INT32 -> dtype.equals(DType.INT32);
      case INDICES -> dtype.equals(DType.INT32) || dtype.equals(DType.INT64);
      case BOOL -> isBool(dtype);
      case ALL -> isFloat(dtype) || isInteger(dtype) || isBool(dtype);
      case CASTABLE -> dtype.isFloat8() || ALL.contains(dtype);
    };
  }

  private static boolean isFloat(DType dtype) {
    int bits = dtype.bits();
    return dtype.lanes() == 1
        && (dtype.code() == TypeCode.FLOAT
            ? bits == 16 || bits == 32 || bits == 64
            : dtype.code() == TypeCode.BFLOAT && bits == 16);
  }

  private static boolean isInteger(DType dtype) {
    int bits = dtype.bits();
    return dtype.isInteger() && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
  }

  private static boolean isBool(DType dtype) {
    return dtype.code() == TypeCode.BOOL && dtype.bits() == 8 && dtype.lanes() == 1;
  }
}
