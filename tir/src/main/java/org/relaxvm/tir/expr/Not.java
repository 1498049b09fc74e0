package org.relaxvm.tir.expr;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;

/** The opposite of a boolean. */
public record Not(PrimExpr a) implements PrimExpr {
  /** Checks the dtype. */
  public Not {
    DTypes.requireBool(a.dtype(), "the operand of not");
  }

  @Override
  public DType dtype() {
    return DType.BOOL;
  }

  @Override
  public List<PrimExpr> operands() {
    return List.of(a);
  }

  @Override
  public PrimExpr withOperands(List<PrimExpr> operands) {
    return new Not(operands.getFirst());
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Not that && a.equals(that.a));
  }

  @Override
  public int hashCode() {
    return ~a.hashCode();
  }
}
