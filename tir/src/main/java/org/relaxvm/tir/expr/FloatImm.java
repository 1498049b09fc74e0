package org.relaxvm.tir.expr;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * A floating-point number that is known. Two are equal when they are the same number: 0 is not -0,
 * and NaN is NaN.
 *
 * @param dtype a floating-point type
 * @param value rounded to the dtype when it is used
 */
public record FloatImm(DType dtype, double value) implements PrimExpr {
  /** Checks the dtype. */
  public FloatImm {
    if (!dtype.isFloat()) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "a floating-point constant cannot be of dtype " + dtype);
    }
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof FloatImm that
            && Double.compare(value, that.value) == 0
            && dtype.equals(that.dtype));
  }

  @Override
  public int hashCode() {
    return 31 * dtype.hashCode() + Double.hashCode(value);
  }
}
