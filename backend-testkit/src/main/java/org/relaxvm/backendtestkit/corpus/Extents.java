package org.relaxvm.backendtestkit.corpus;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Symbolic extents with values for their variables. */
final class Extents {
  private Extents() {}

  static long value(PrimExpr extent, Map<String, Long> binding) {
    if (folded(extent, binding) instanceof IntImm imm) {
      return imm.value();
    }
    throw new IllegalArgumentException(extent + " has no value with " + binding);
  }

  static Shape shape(List<PrimExpr> extents, Map<String, Long> binding) {
    return Shape.of(extents.stream().mapToLong(extent -> value(extent, binding)).toArray());
  }

  /** An extent with the variables that have values replaced. */
  static PrimExpr folded(PrimExpr expr, Map<String, Long> binding) {
    if (expr instanceof Var var) {
      Long value = binding.get(var.name());
      return value == null ? var : IntImm.of(value);
    }
    List<PrimExpr> operands =
        expr.operands().stream().map(operand -> folded(operand, binding)).toList();
    return operands.isEmpty() ? expr : Exprs.rebuild(expr, operands);
  }
}
