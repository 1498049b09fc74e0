package org.relaxvm.tir.expr;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * A value of another dtype. Integers wrap around; floats become integers towards 0, those out of
 * range the nearest one, NaN 0; floats round to the nearest, ties to even; a number is true when it
 * is not 0.
 *
 * @param dtype of the result
 */
public record Cast(DType dtype, PrimExpr value) implements PrimExpr {
  /** Checks the dtype. */
  public Cast {
    DTypes.requireScalar(dtype, "the result of a cast");
  }

  @Override
  public List<PrimExpr> operands() {
    return List.of(value);
  }

  @Override
  public PrimExpr withOperands(List<PrimExpr> operands) {
    return new Cast(dtype, operands.getFirst());
  }
}
