package org.relaxvm.tir.analysis;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * The variables of a kernel that take several values while it runs; parameters and symbolic extents
 * are not among them.
 *
 * @param varying counters of loops and axes of blocks
 * @param lets other variables with their values
 */
record Scope(Set<Var> varying, Map<Var, PrimExpr> lets) {
  static Scope of(PrimFunc function) {
    Scope scope = new Scope(new HashSet<>(), new HashMap<>());
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        switch (stmt) {
          case For loop -> scope.varying.add(loop.loopVar());
          case Let let -> scope.lets.put(let.var(), let.value());
          default -> {}
        }
        super.visit(stmt);
      }

      @Override
      public void visit(Block block) {
        block.iterVars().forEach(axis -> scope.varying.add(axis.var()));
        super.visit(block);
      }
    }.visit(function.body());
    return scope;
  }

  /** The counters and axes that expressions depend on. */
  Set<Var> varyingIn(List<PrimExpr> exprs) {
    Set<Var> found = new HashSet<>();
    exprs.forEach(expr -> add(expr, found, new HashSet<>()));
    return found;
  }

  private void add(PrimExpr expr, Set<Var> found, Set<Var> seen) {
    if (expr instanceof Var var && seen.add(var)) {
      if (varying.contains(var)) {
        found.add(var);
      } else if (lets.get(var) instanceof PrimExpr value) {
        add(value, found, seen);
      }
    }
    expr.operands().forEach(operand -> add(operand, found, seen));
  }

  /** An expression without casts around it, and what a variable stands for. */
  PrimExpr bare(PrimExpr expr) {
    return switch (expr) {
      case Cast cast -> bare(cast.value());
      case Var var when lets.get(var) instanceof PrimExpr value -> bare(value);
      default -> expr;
    };
  }
}
