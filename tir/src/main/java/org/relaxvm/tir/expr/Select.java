package org.relaxvm.tir.expr;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * One of two values. Both may be evaluated: where one must not be, such as a load out of bounds,
 * {@link Intrinsic#IF_THEN_ELSE} evaluates just the one that counts.
 */
public record Select(PrimExpr condition, PrimExpr whenTrue, PrimExpr whenFalse)
    implements PrimExpr {
  /** Checks the dtypes. */
  public Select {
    DTypes.requireBool(condition.dtype(), "the condition of select");
    DTypes.requireSame(whenTrue.dtype(), whenFalse.dtype(), "select");
  }

  @Override
  public DType dtype() {
    return whenTrue.dtype();
  }

  @Override
  public List<PrimExpr> operands() {
    return List.of(condition, whenTrue, whenFalse);
  }

  @Override
  public PrimExpr withOperands(List<PrimExpr> operands) {
    return new Select(operands.get(0), operands.get(1), operands.get(2));
  }
}
