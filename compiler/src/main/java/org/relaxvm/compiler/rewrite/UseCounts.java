package org.relaxvm.compiler.rewrite;

import java.util.IdentityHashMap;
import java.util.Map;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;

/** How often an expression uses each variable. Not thread-safe while it is made. */
public final class UseCounts {
  /** No variable is used. */
  public static final UseCounts NONE = new UseCounts();

  private final Map<RelaxVar, Integer> counts = new IdentityHashMap<>();

  private UseCounts() {}

  /** Counts the uses of all variables in an expression, those in nested functions included. */
  public static UseCounts in(Expr expr) {
    UseCounts uses = new UseCounts();
    new ExprVisitor() {
      @Override
      public void visit(Expr part) {
        if (part instanceof RelaxVar var) {
          uses.counts.merge(var, 1, Integer::sum);
        } else {
          super.visit(part);
        }
      }
    }.visit(expr);
    return uses;
  }

  /** How often a variable is used; 0 for one that does not occur. */
  public int of(RelaxVar var) {
    return counts.getOrDefault(var, 0);
  }
}
