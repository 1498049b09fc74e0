package org.relaxvm.tir.stmt;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Var;

/**
 * An axis of a block.
 *
 * @param var of integers
 * @param domain all values that it takes, of the dtype of the variable
 */
public record IterVar(Var var, Range domain, IterKind kind) {
  /** Checks the dtypes. */
  public IterVar {
    if (!DTypes.isInteger(var.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "the axis " + var + " must count in integers, but is " + var.dtype());
    }
    if (!domain.isOf(var.dtype())) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the axis " + var + " is " + var.dtype() + ", but its domain is " + domain.dtypes());
    }
  }
}
