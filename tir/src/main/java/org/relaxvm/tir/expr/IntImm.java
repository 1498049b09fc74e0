package org.relaxvm.tir.expr;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * An integer or a boolean that is known.
 *
 * @param dtype an integer type or {@code bool}
 * @param value in the range of the dtype; of {@code uint64} the same 64 bits
 */
public record IntImm(DType dtype, long value) implements PrimExpr {
  /** Checks the value. */
  public IntImm {
    if (!DTypes.isIntegral(dtype)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "an integer constant cannot be of dtype " + dtype);
    }
    if (IntegerMath.wrap(dtype, value) != value) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the constant " + value + " does not fit " + dtype);
    }
  }

  /** A constant of dtype int64, which indices and extents have. */
  public static IntImm of(long value) {
    return new IntImm(DType.INT64, value);
  }

  /** A constant of dtype bool. */
  public static IntImm of(boolean value) {
    return new IntImm(DType.BOOL, value ? 1 : 0);
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof IntImm that && value == that.value && dtype.equals(that.dtype));
  }

  @Override
  public int hashCode() {
    return 31 * dtype.hashCode() + Long.hashCode(value);
  }
}
