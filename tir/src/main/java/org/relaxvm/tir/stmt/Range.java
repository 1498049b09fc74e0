package org.relaxvm.tir.stmt;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.PrimExpr;

/** The integers {@code min} to {@code min + extent - 1}. */
public record Range(PrimExpr min, PrimExpr extent) {
  /** Whether both bounds are of a dtype. */
  boolean isOf(DType dtype) {
    return min.dtype().equals(dtype) && extent.dtype().equals(dtype);
  }

  /** The dtypes of the bounds, for messages. */
  String dtypes() {
    return min.dtype().equals(extent.dtype())
        ? min.dtype().toString()
        : min.dtype() + " and " + extent.dtype();
  }
}
