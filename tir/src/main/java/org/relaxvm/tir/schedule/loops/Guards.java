package org.relaxvm.tir.schedule.loops;

import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.Stmt;

/** Lets the blocks in a statement run only where a condition holds. */
final class Guards extends IrMutator {
  private final PrimExpr condition;

  private Guards(PrimExpr condition) {
    this.condition = condition;
  }

  static Stmt add(Stmt stmt, PrimExpr condition) {
    return new Guards(condition).rewrite(stmt);
  }

  @Override
  public Stmt rewrite(Stmt stmt) {
    // The outermost blocks: what is inside of one runs with it.
    return stmt instanceof BlockRealize realize
        ? new BlockRealize(
            realize.iterValues(), Exprs.and(realize.predicate(), condition), realize.block())
        : super.rewrite(stmt);
  }
}
