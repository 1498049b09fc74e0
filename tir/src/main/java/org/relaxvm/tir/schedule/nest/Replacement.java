package org.relaxvm.tir.schedule.nest;

import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.Stmt;

/** Replaces another by one statement. */
public final class Replacement extends IrMutator {
  private final Stmt old;
  private final Stmt replacement;

  private Replacement(Stmt old, Stmt replacement) {
    this.old = old;
    this.replacement = replacement;
  }

  public static Stmt in(Stmt root, Stmt old, Stmt replacement) {
    return new Replacement(old, replacement).rewrite(root);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // that very statement
  public Stmt rewrite(Stmt stmt) {
    return stmt == old ? replacement : super.rewrite(stmt);
  }
}
