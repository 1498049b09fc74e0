package org.relaxvm.tir.schedule.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Loops that follow each other as one: each of its iterations is an iteration of the first, then
 * one of the second, and so on.
 *
 * @param before the statements among which the loops are
 * @param after what replaces them
 * @param merged the one loop
 */
public record LoopMerge(Stmt before, Stmt after, For merged) {
  public static LoopMerge of(Stmt root, List<For> loops) {
    String what =
        "to merge the loops over "
            + String.join(", ", loops.stream().map(loop -> loop.loopVar().name()).toList());
    if (loops.size() < 2) {
      throw Refusal.of(what, "name two or more");
    }
    Seq around = around(root, loops, what);
    For first = loops.getFirst();
    for (For loop : loops) {
      requireLike(first, loop, what);
    }
    Var counter = first.loopVar();
    List<Stmt> bodies = new ArrayList<>();
    for (For loop : loops) {
      bodies.add(new Substitution(Map.of(loop.loopVar(), counter)).rewrite(loop.body()));
    }
    IterationOrder order = new IterationOrder(root, first, what);
    for (int i = 0; i < bodies.size(); i++) {
      for (Stmt later : bodies.subList(i + 1, bodies.size())) {
        order.requireKept(bodies.get(i), later);
      }
    }
    For merged = Statements.with(first, Seq.of(flat(bodies)));
    List<Stmt> statements = new ArrayList<>(around.statements());
    int index = statements.indexOf(first);
    statements.subList(index, index + loops.size()).clear();
    statements.add(index, merged);
    return new LoopMerge(around, Seq.of(statements), merged);
  }

  /** The sequence in which the loops follow each other with nothing between them. */
  @SuppressWarnings("ReferenceEquality") // those very loops
  private static Seq around(Stmt root, List<For> loops, String what) {
    Optional<StmtPath> path =
        StmtPath.find(
            root,
            stmt ->
                stmt instanceof Seq seq
                    && seq.statements().stream().anyMatch(part -> part == loops.getFirst()));
    if (path.isPresent()) {
      Seq seq = (Seq) path.get().stmt();
      int start = seq.statements().indexOf(loops.getFirst());
      if (start + loops.size() <= seq.statements().size()) {
        boolean follow = true;
        for (int i = 0; i < loops.size(); i++) {
          follow &= seq.statements().get(start + i) == loops.get(i);
        }
        if (follow) {
          return seq;
        }
      }
    }
    throw Refusal.of(what, "they do not follow each other with nothing between them");
  }

  private static void requireLike(For first, For loop, String what) {
    if (loop.kind() != ForKind.SERIAL) {
      throw Refusal.of(
          what,
          "all must be serial, but the loop over " + loop.loopVar() + " is " + loop.kind().text());
    }
    if (!same(loop.min(), first.min()) || !same(loop.extent(), first.extent())) {
      throw Refusal.of(
          what,
          "the loops over "
              + first.loopVar()
              + " and "
              + loop.loopVar()
              + " cannot be shown to have the same iterations");
    }
    if (IterationOrder.looksUp(loop.min()) || IterationOrder.looksUp(loop.extent())) {
      throw Refusal.of(
          what, "the bounds of the loop over " + loop.loopVar() + " are read from a buffer");
    }
  }

  private static boolean same(PrimExpr a, PrimExpr b) {
    return a.equals(b) || new Analyzer().canProveEqual(a, b);
  }

  private static List<Stmt> flat(List<Stmt> bodies) {
    List<Stmt> flat = new ArrayList<>();
    for (Stmt body : bodies) {
      if (body instanceof Seq seq) {
        flat.addAll(seq.statements());
      } else {
        flat.add(body);
      }
    }
    return flat;
  }
}
