package org.relaxvm.backendvulkan.kernels;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.tir.expr.DTypes;

/**
 * What GLSL computes with. Integers of 8 and 16 bits are computed in 32: results that may leave
 * their range are wrapped.
 */
final class GlslTypes {
  static final List<DType> INTEGERS =
      List.of(
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64);

  private GlslTypes() {}

  static String integer(DType dtype) {
    boolean unsigned = DTypes.isUnsigned(dtype);
    if (dtype.bits() == 64) {
      return unsigned ? "uint64_t" : "int64_t";
    }
    return unsigned ? "uint" : "int";
  }

  static boolean isNarrow(DType dtype) {
    return dtype.bits() < 32;
  }

  /**
   * An integer as one in the range of its dtype.
   *
   * @param value in {@link #integer}; a name, a call or an expression in parentheses
   */
  static String wrap(DType dtype, String value) {
    if (!isNarrow(dtype)) {
      return value;
    }
    int unused = 32 - dtype.bits();
    return DTypes.isUnsigned(dtype)
        ? "(" + value + " & " + (0xffffffffL >>> unused) + "u)"
        : "(" + value + " << " + unused + " >> " + unused + ")";
  }

  static String literal(DType dtype, long value) {
    if (dtype.code() == TypeCode.UINT) {
      return dtype.bits() == 64 ? Long.toUnsignedString(value) + "UL" : value + "u";
    }
    if (dtype.bits() == 64) {
      return value == Long.MIN_VALUE ? "(-9223372036854775807L - 1L)" : signed(value, "L");
    }
    return value == Integer.MIN_VALUE ? "(-2147483647 - 1)" : signed(value, "");
  }

  private static String signed(long value, String suffix) {
    return value < 0 ? "(" + value + suffix + ")" : value + suffix;
  }

  /** What the names of functions end with that are computed in float32 or in float64. */
  static String floatBits(String type) {
    return type.equals("double") ? "64" : "32";
  }
}
