package org.relaxvm.tir.rewrite;

import java.util.IdentityHashMap;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Replaces variables by expressions. For one kernel; not thread-safe. */
public final class Substitution extends IrMutator {
  private final Map<Var, PrimExpr> values;

  /**
   * A substitution.
   *
   * @param values each of the dtype of its variable
   */
  public Substitution(Map<Var, ? extends PrimExpr> values) {
    this.values = new IdentityHashMap<>(values);
    values.forEach(
        (var, value) -> {
          if (!value.dtype().equals(var.dtype())) {
            throw new InvalidProgramException(
                ErrorKind.TYPE,
                "the variable "
                    + var
                    + " is "
                    + var.dtype()
                    + ", but its replacement is "
                    + value.dtype());
          }
        });
  }

  /** An expression with others instead of variables. */
  public static PrimExpr in(PrimExpr expr, Map<Var, ? extends PrimExpr> values) {
    return new Substitution(values).rewrite(expr);
  }

  @Override
  public PrimExpr rewrite(PrimExpr expr) {
    if (expr instanceof Var var) {
      PrimExpr value = values.get(var);
      return value != null ? value : var;
    }
    return super.rewrite(expr);
  }
}
