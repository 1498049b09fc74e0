package org.relaxvm.tir.stmt;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.PrimExpr;

/** One of two statements. */
public record IfThenElse(PrimExpr condition, Stmt whenTrue, Optional<Stmt> whenFalse)
    implements Stmt {
  /** Checks the dtype. */
  public IfThenElse {
    if (!condition.dtype().equals(DType.BOOL)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "the condition of if must be bool, but is " + condition.dtype());
    }
  }
}
