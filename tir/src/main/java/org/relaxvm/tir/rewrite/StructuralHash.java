package org.relaxvm.tir.rewrite;

import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/** A number that kernels have in common when {@link StructuralEquality} says they are equal. */
public final class StructuralHash extends IrVisitor {
  private int hash = 17;

  private StructuralHash() {}

  /** The number of a kernel. */
  public static int of(PrimFunc function) {
    StructuralHash visitor = new StructuralHash();
    visitor.add(function.params().size());
    visitor.add(function.attrs().hashCode());
    visitor.visit(function);
    return visitor.hash;
  }

  private void add(int value) {
    hash = 31 * hash + value;
  }

  @Override
  public void visit(PrimExpr expr) {
    add(expr.getClass().getSimpleName().hashCode());
    add(expr.dtype().hashCode());
    switch (expr) {
      case IntImm constant -> add(Long.hashCode(constant.value()));
      case FloatImm constant -> add(Double.hashCode(constant.value()));
      case Binary binary -> add(binary.op().ordinal());
      case Call call -> add(call.op().ordinal());
      case BufferLoad load -> add(load.buffer().dtype().hashCode());
      default -> {}
    }
    super.visit(expr);
  }

  @Override
  public void visit(Stmt stmt) {
    add(stmt.getClass().getSimpleName().hashCode());
    switch (stmt) {
      case For loop -> {
        add(loop.kind().ordinal());
        add(loop.annotations().hashCode());
      }
      case BufferStore store -> add(store.buffer().dtype().hashCode());
      default -> {}
    }
    super.visit(stmt);
  }

  @Override
  public void visit(Block block) {
    add(block.name().hashCode());
    super.visit(block);
  }
}
