package org.relaxvm.tir.stmt;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** A variable with a value, for a statement. */
public record Let(Var var, PrimExpr value, Stmt body) implements Stmt {
  /** Checks the dtype. */
  public Let {
    if (!value.dtype().equals(var.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the variable " + var + " is " + var.dtype() + ", but its value is " + value.dtype());
    }
  }
}
