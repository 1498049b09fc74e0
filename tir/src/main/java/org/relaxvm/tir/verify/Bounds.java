package org.relaxvm.tir.verify;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;

/** Finds indices that are, or may be, outside of their buffers. */
final class Bounds extends KnownValues {
  private final String kernel;
  private final List<Access> unproven = new ArrayList<>();

  Bounds(String kernel) {
    this.kernel = kernel;
  }

  /** All that could not be shown to be inside, in the order of the text. */
  List<Access> unproven() {
    return unproven;
  }

  @Override
  public void visit(PrimExpr expr) {
    super.visit(expr);
    if (expr instanceof BufferLoad load) {
      check(load.buffer(), load.indices(), false);
    }
  }

  @Override
  void check(Stmt stmt) {
    super.check(stmt);
    if (stmt instanceof BufferStore store) {
      check(store.buffer(), store.indices(), true);
    }
  }

  private void check(Buffer buffer, List<PrimExpr> indices, boolean writes) {
    for (int axis = 0; axis < indices.size(); axis++) {
      PrimExpr index = indices.get(axis);
      PrimExpr extent = buffer.shape().get(axis);
      PrimExpr notNegative = Exprs.le(IntImm.of(0), index);
      PrimExpr below = Exprs.lt(index, extent);
      if (analyzer.canProve(notNegative) && analyzer.canProve(below)) {
        continue;
      }
      if (analyzer.canProve(Exprs.not(notNegative)) || analyzer.canProve(Exprs.not(below))) {
        throw Verifier.invalid(
            kernel,
            "it "
                + (writes ? "writes" : "reads")
                + " the buffer "
                + buffer
                + " out of bounds: the index of axis "
                + axis
                + " lies in "
                + analyzer.bound(index)
                + ", the extent in "
                + analyzer.bound(extent));
      }
      unproven.add(new Access(buffer, indices, axis, writes));
    }
  }
}
