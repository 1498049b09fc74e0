package org.relaxvm.tir.schedule.loops;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.schedule.nest.Dependences;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Stmt;

/** Nested loops in another order. */
public record LoopOrder(For old, For replacement) {
  public static LoopOrder of(List<For> order) {
    if (order.isEmpty()) {
      throw Refusal.of("to reorder no loops", "name one or more");
    }
    String what = "to reorder the loops over " + names(order);
    if (order.stream().map(For::loopVar).distinct().count() < order.size()) {
      throw Refusal.of(what, "one of them is named twice");
    }
    List<For> nest = nest(order, what);
    List<For> changed = new ArrayList<>();
    int next = 0;
    for (For loop : nest) {
      changed.add(contains(order, loop) ? order.get(next++) : loop);
    }
    requireBounds(changed, what);
    Stmt body = nest.getLast().body();
    requireOrderDoesNotCount(changed, body, what);
    for (For loop : changed.reversed()) {
      body = Statements.with(loop, body);
    }
    return new LoopOrder(nest.getFirst(), (For) body);
  }

  /** All loops from the outermost one that is named to the innermost one. */
  private static List<For> nest(List<For> order, String what) {
    for (For outermost : order) {
      List<For> nest = new ArrayList<>();
      int found = 0;
      for (Stmt stmt = outermost; stmt instanceof For loop; stmt = loop.body()) {
        nest.add(loop);
        found += contains(order, loop) ? 1 : 0;
        if (found == order.size()) {
          return nest;
        }
      }
    }
    throw Refusal.of(what, "they are not nested with nothing but loops between them");
  }

  @SuppressWarnings("ReferenceEquality") // that very loop
  private static boolean contains(List<For> loops, For loop) {
    return loops.stream().anyMatch(other -> other == loop);
  }

  private static void requireBounds(List<For> loops, String what) {
    for (int i = 0; i < loops.size(); i++) {
      for (For inner : loops.subList(i + 1, loops.size())) {
        For outer = loops.get(i);
        if (Statements.uses(outer.extent(), inner.loopVar())
            || Statements.uses(outer.min(), inner.loopVar())) {
          throw Refusal.of(
              what,
              "the bounds of the loop over "
                  + outer.loopVar()
                  + " depend on "
                  + inner.loopVar()
                  + ", which would be inside");
        }
      }
    }
  }

  /** Blocks inside must not care about the order: none has an axis whose points follow in order. */
  private static void requireOrderDoesNotCount(List<For> loops, Stmt body, String what) {
    if (!(StmtPath.find(body, stmt -> stmt instanceof BlockRealize).isPresent())) {
      throw Refusal.of(what, "there is no block inside that says what their order means");
    }
    Dependences.requireNone(body, what);
    List<Var> counters = loops.stream().map(For::loopVar).toList();
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BlockRealize realize) {
          check(realize);
        } else {
          super.visit(stmt);
        }
      }

      private void check(BlockRealize realize) {
        Block block = realize.block();
        if (block.iterVars().isEmpty()) {
          throw Refusal.of(
              what, "the block " + block.name() + " has no axes that say what their order means");
        }
        if (block.init().isPresent()) {
          counters.forEach(counter -> requireFirstIterationFirst(realize, counter, what));
        }
        for (int i = 0; i < block.iterVars().size(); i++) {
          int axis = i;
          if (block.iterVars().get(i).kind() == IterKind.OPAQUE
              && counters.stream()
                  .anyMatch(c -> Statements.uses(realize.iterValues().get(axis), c))) {
            throw Refusal.of(
                what,
                "the points of the axis "
                    + block.iterVars().get(i).var()
                    + " of the block "
                    + block.name()
                    + " must follow each other in order");
          }
        }
      }
    }.visit(body);
  }

  /** What starts a reduction runs at its first iteration, which must come before all others. */
  private static void requireFirstIterationFirst(BlockRealize realize, Var counter, String what) {
    boolean alongReduction = false;
    boolean alongOthers = false;
    for (int i = 0; i < realize.iterValues().size(); i++) {
      if (Statements.uses(realize.iterValues().get(i), counter)) {
        boolean reduction = realize.block().iterVars().get(i).kind() == IterKind.REDUCE;
        alongReduction |= reduction;
        alongOthers |= !reduction;
      }
    }
    if (alongReduction && alongOthers) {
      throw Refusal.of(
          what,
          "the loop over "
              + counter
              + " moves along the reduction of the block "
              + realize.block().name()
              + " and other axes, so the first iteration of the reduction might not come first");
    }
  }

  private static String names(List<For> loops) {
    return String.join(", ", loops.stream().map(loop -> loop.loopVar().name()).toList());
  }
}
