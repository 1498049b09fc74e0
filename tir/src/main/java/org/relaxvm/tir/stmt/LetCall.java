package org.relaxvm.tir.stmt;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Var;

/**
 * The result of a packed call as a variable of the statements inside. In host functions only.
 *
 * <p>Rationale: docs/rationale/tir.md, "Why is the result of a packed call no expression?"
 *
 * @param var an integer, boolean or float; booleans and integers convert to each other and to
 *     floats, as arguments of packed functions do
 * @param call without a cell for the result
 */
public record LetCall(Var var, CallPacked call, Stmt body) implements Stmt {
  /** Checks the variable and the call. */
  public LetCall {
    DType dtype = var.dtype();
    boolean fits =
        dtype.equals(DType.BOOL) || dtype.equals(DType.INT64) || dtype.equals(DType.FLOAT64);
    if (!fits) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the variable "
              + var
              + " gets the result of "
              + call.name()
              + " and must be bool, int64 or float64, but is "
              + dtype);
    }
    if (!call.result().equals(Optional.empty())) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the result of "
              + call.name()
              + " is the variable "
              + var
              + " and also goes into a list");
    }
  }

  /** Whether the variable is an integer or a boolean. */
  public boolean isIntegral() {
    return DTypes.isIntegral(var.dtype());
  }
}
