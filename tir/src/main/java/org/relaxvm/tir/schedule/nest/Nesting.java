package org.relaxvm.tir.schedule.nest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/** Whether a loop can be of a kind, given the loops around it and inside. */
public final class Nesting {
  private Nesting() {}

  public static void require(Stmt root, For loop, ForKind kind, Optional<ThreadAxis> axis) {
    String what = "to make the loop over " + loop.loopVar() + " " + kind.text();
    for (For other : around(root, loop)) {
      if (kind == ForKind.VECTORIZED && other.kind() == kind) {
        throw Refusal.of(
            what, "the loop over " + other.loopVar() + " around or inside it is vectorized");
      }
      if (axis.isPresent() && axis.get() != ThreadAxis.VIRTUAL && other.thread().equals(axis)) {
        throw Refusal.of(
            what,
            "the loop over "
                + other.loopVar()
                + " around or inside it is bound to "
                + axis.get().text());
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // that very loop
  private static List<For> around(Stmt root, For loop) {
    List<For> others = new ArrayList<>();
    StmtPath.find(root, stmt -> stmt == loop).ifPresent(path -> collect(path.stmts(), others));
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof For inner) {
          others.add(inner);
        }
        super.visit(stmt);
      }
    }.visit(loop.body());
    others.removeIf(other -> other == loop);
    return others;
  }

  private static void collect(List<Stmt> path, List<For> loops) {
    for (Stmt stmt : path) {
      if (stmt instanceof For outer) {
        loops.add(outer);
      }
    }
  }
}
