package org.relaxvm.tir.schedule.loops;

import java.util.Map;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Stmt;

/** Two loops as one. */
public final class LoopFusion {
  private LoopFusion() {}

  @SuppressWarnings("ReferenceEquality") // that very loop
  public static For of(For outer, For inner) {
    String what = "to fuse the loops over " + outer.loopVar() + " and " + inner.loopVar();
    if (outer.body() != inner) {
      throw Refusal.of(what, "the second one is not all that is in the first one");
    }
    if (outer.kind() != ForKind.SERIAL || inner.kind() != ForKind.SERIAL) {
      throw Refusal.of(
          what,
          "both must be serial, but they are "
              + outer.kind().text()
              + " and "
              + inner.kind().text());
    }
    if (Statements.uses(inner.extent(), outer.loopVar())
        || Statements.uses(inner.min(), outer.loopVar())) {
      throw Refusal.of(what, "the bounds of the second one depend on the first one");
    }
    if (!outer.loopVar().dtype().equals(inner.loopVar().dtype())) {
      throw Refusal.of(
          what,
          "their counters are " + outer.loopVar().dtype() + " and " + inner.loopVar().dtype());
    }
    Var fused =
        new Var(
            outer.loopVar().name() + "_" + inner.loopVar().name() + "_fused",
            outer.loopVar().dtype());
    PrimExpr innerExtent = inner.extent();
    Stmt body =
        new Substitution(
                Map.of(
                    outer.loopVar(),
                    Exprs.add(outer.min(), Exprs.floorDiv(fused, innerExtent)),
                    inner.loopVar(),
                    Exprs.add(inner.min(), Exprs.floorMod(fused, innerExtent))))
            .rewrite(inner.body());
    return Statements.serial(
        fused, Exprs.mul(outer.extent(), innerExtent), body, outer.annotations());
  }
}
