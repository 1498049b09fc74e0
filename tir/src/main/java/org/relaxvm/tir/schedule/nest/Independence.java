package org.relaxvm.tir.schedule.nest;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Verifier;

/**
 * Whether the iterations of a loop may run at the same time: it only moves blocks to other points.
 */
public final class Independence extends IrVisitor {
  private final For loop;
  private final String what;
  // Loops and variables around the visited statement, from the loop on.
  private final List<Stmt> between = new ArrayList<>();

  private Independence(For loop, String what) {
    this.loop = loop;
    this.what = what;
  }

  /** Refuses a loop in which an iteration may work on what another iteration works on. */
  public static void require(For loop, String what) {
    new Independence(loop, what).visit(loop.body());
  }

  /**
   * Refuses a concurrent loop of a kernel in which a block of one iteration may need what another
   * block of another iteration writes.
   */
  @SuppressWarnings("ReferenceEquality") // that very loop
  public static void requireApart(PrimFunc function, For loop, String what) {
    if (Dependences.areThere(loop.body())
        && Verifier.unprovenLoops(function).stream().anyMatch(other -> other == loop)) {
      throw Refusal.of(
          what,
          "a block in one of its iterations may work on what another block in another iteration"
              + " writes");
    }
  }

  /**
   * Refuses a kernel in which a loop, or one around it, cannot run its iterations at once as it
   * says.
   */
  public static void requireAround(PrimFunc function, Var counter, String what) {
    StmtPath path =
        StmtPath.find(
                function.body(),
                stmt -> stmt instanceof For other && other.loopVar().equals(counter))
            .orElseThrow();
    for (Stmt around : path.stmts()) {
      if (around instanceof For outer && outer.kind().isConcurrent()) {
        String concurrently =
            what + " with iterations of the loop over " + outer.loopVar() + " at once";
        require(outer, concurrently);
        requireApart(function, outer, concurrently);
      }
    }
  }

  @Override
  public void visit(Stmt stmt) {
    switch (stmt) {
      case BlockRealize realize -> check(realize);
      case BufferStore store ->
          throw Refusal.of(what, "it stores into " + store.buffer() + " outside of a block");
      case CallPacked call ->
          throw Refusal.of(what, "it calls " + call.name() + " outside of a block");
      case Return result -> throw Refusal.of(what, "it returns");
      default -> {
        between.add(stmt);
        super.visit(stmt);
        between.removeLast();
      }
    }
  }

  private void check(BlockRealize realize) {
    Block block = realize.block();
    boolean moves = false;
    for (int i = 0; i < block.iterVars().size(); i++) {
      IterVar axis = block.iterVars().get(i);
      if (!Statements.uses(realize.iterValues().get(i), loop.loopVar())) {
        continue;
      }
      moves = true;
      if (axis.kind() != IterKind.SPATIAL) {
        throw Refusal.of(
            what,
            "it moves along the axis "
                + axis.var()
                + " of the block "
                + block.name()
                + ", whose points "
                + (axis.kind() == IterKind.REDUCE
                    ? "update the same elements"
                    : "must follow each other in order"));
      }
    }
    if (!moves) {
      throw Refusal.of(
          what, "each iteration runs the block " + block.name() + " at the same points");
    }
    if (!Separation.holds(loop, between, realize, IterKind.SPATIAL)) {
      throw Refusal.of(
          what, "two iterations may run the block " + block.name() + " at the same point");
    }
  }
}
