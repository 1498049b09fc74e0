package org.relaxvm.tir.analysis;

import java.util.HashSet;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;

/** The buffers that a statement reads or writes. */
public final class BufferUses {
  private BufferUses() {}

  /** All of them. */
  public static Set<Buffer> of(Stmt stmt) {
    Set<Buffer> buffers = new HashSet<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt inner) {
        if (inner instanceof BufferStore store) {
          buffers.add(store.buffer());
        }
        super.visit(inner);
      }

      @Override
      public void visit(PrimExpr expr) {
        if (expr instanceof BufferLoad load) {
          buffers.add(load.buffer());
        }
        super.visit(expr);
      }
    }.visit(stmt);
    return buffers;
  }
}
