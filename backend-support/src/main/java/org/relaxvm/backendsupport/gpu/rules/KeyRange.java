package org.relaxvm.backendsupport.gpu.rules;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Attention;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.analysis.Operations;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;

/**
 * Which blocks of keys the rows of a work-group may see: with a causal mask the later ones are left
 * out, and with a window the earlier ones.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why do masked keys have a weight of -1?"
 *
 * @param firstBlock the number of the first one
 * @param blocks how many there are
 */
record KeyRange(PrimExpr firstBlock, PrimExpr blocks) {
  /** The blocks of a work-group. */
  static KeyRange of(Attention parts, Var rowWorkGroup, AttentionShape shape) {
    PrimExpr from = IntImm.of(0);
    PrimExpr to = parts.keys().extent();
    List<PrimExpr> conditions =
        parts.rows().size() == 1 ? parts.mask().map(Exprs::conjuncts).orElse(List.of()) : List.of();
    Var key = parts.keys().loopVar();
    PrimExpr firstRow = Exprs.mul(rowWorkGroup, shape.rows());
    PrimExpr lastRow = Exprs.add(firstRow, shape.rows() - 1L);
    for (PrimExpr condition : conditions) {
      if (condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
          && (op == BinaryOp.LE || op == BinaryOp.LT)) {
        int past = op == BinaryOp.LE ? 1 : 0;
        if (a.equals(key)) {
          Optional<PrimExpr> last = at(b, parts, lastRow);
          to = last.isPresent() ? Exprs.min(to, Exprs.add(last.get(), past)) : to;
        } else if (b.equals(key)) {
          Optional<PrimExpr> first = at(a, parts, firstRow);
          from = first.isPresent() ? Exprs.max(from, Exprs.add(first.get(), 1L - past)) : from;
        }
      }
    }
    PrimExpr first = Exprs.floorDiv(from, shape.keys());
    PrimExpr end = WorkGroups.parts(to, shape.keys());
    boolean all = conditions.isEmpty();
    return new KeyRange(first, all ? end : Exprs.max(IntImm.of(0), Exprs.sub(end, first)));
  }

  /** A bound at a row, if it is no smaller at later rows and the same for all keys. */
  private static Optional<PrimExpr> at(PrimExpr bound, Attention parts, PrimExpr row) {
    For rows = parts.rows().getFirst();
    Var counter = rows.loopVar();
    if (!bound.dtype().equals(DType.INT64)
        || !Operations.isFreeOfLoads(bound)
        || Nest.uses(bound, parts.keys().loopVar())) {
      return Optional.empty();
    }
    PrimExpr next = Substitution.in(bound, Map.of(counter, Exprs.add(counter, 1)));
    PrimExpr step = new Analyzer().simplify(Exprs.sub(next, bound));
    return step instanceof IntImm known && known.value() >= 0
        ? Optional.of(Substitution.in(bound, Map.of(counter, row)))
        : Optional.empty();
  }
}
