package org.relaxvm.tir.verify;

import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Stmt;

/** A walk whose errors name the statements that were entered. */
abstract class CheckVisitor extends IrVisitor {
  @Override
  public final void visit(Stmt stmt) {
    try {
      check(stmt);
    } catch (InvalidKernelException e) {
      e.within(stmt);
      throw e;
    }
  }

  /** Checks a statement; what is inside it is visited by default. */
  void check(Stmt stmt) {
    super.visit(stmt);
  }
}
