package org.relaxvm.tir.schedule.blocks;

import java.util.List;
import java.util.Optional;
import org.relaxvm.tir.analysis.BlockRegions;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Replacement;
import org.relaxvm.tir.schedule.nest.Separation;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** A reduction as two blocks: one that starts it, and one that updates. */
public final class Decomposition {
  private final BlockRealize realize;
  private final Block block;
  private final List<For> loops;
  private final String what;

  private Decomposition(StmtPath path, For at) {
    realize = (BlockRealize) path.stmt();
    block = realize.block();
    what = "to start the block " + block.name() + " in front of the loop over " + at.loopVar();
    List<For> around = path.loops();
    int first = around.indexOf(at);
    if (first < 0) {
      throw Refusal.of(what, "that loop is not around the block");
    }
    loops = around.subList(first, around.size());
    around.subList(0, first).forEach(this::requireNoReduction);
    for (For loop : loops) {
      requireVisitsOnce(loop, path.pathFrom(loop));
    }
  }

  /** What starts once must not be computed again by a later iteration. */
  private void requireVisitsOnce(For loop, List<Stmt> between) {
    boolean once =
        loop.extent().equals(IntImm.of(1))
            || Separation.holds(loop, between, realize, IterKind.SPATIAL)
            || Separation.holds(loop, between, realize, IterKind.REDUCE);
    if (!once) {
      throw Refusal.of(what, "the loop over " + loop.loopVar() + " may run it at one point twice");
    }
  }

  /** What replaces the loop: the new block, then the loop with the remaining updates. */
  public static Stmt of(StmtPath path, For at, String name) {
    Decomposition parts = new Decomposition(path, at);
    return new Seq(List.of(parts.start(name), Replacement.in(at, parts.realize, parts.update())));
  }

  private void requireNoReduction(For outside) {
    for (int i = 0; i < block.iterVars().size(); i++) {
      if (block.iterVars().get(i).kind() != IterKind.SPATIAL
          && Statements.uses(realize.iterValues().get(i), outside.loopVar())) {
        throw Refusal.of(
            what,
            "the loop over " + outside.loopVar() + " around it moves along the reduction too");
      }
    }
  }

  private Stmt start(String name) {
    Stmt init = block.init().orElseThrow(() -> Refusal.of(what, "nothing starts the block"));
    SpatialNest nest = new SpatialNest(realize, loops, "_init", what);
    Stmt body = new Substitution(nest.vars()).rewrite(init);
    Block starting = BlockRegions.block(name, nest.axes(), Optional.empty(), body);
    return nest.around(new BlockRealize(nest.values(), nest.predicate(), starting));
  }

  private BlockRealize update() {
    Block without =
        new Block(
            block.name(),
            block.iterVars(),
            block.reads(),
            block.writes(),
            block.allocBuffers(),
            Optional.empty(),
            block.body(),
            block.annotations());
    return new BlockRealize(
        realize.iterValues(), realize.predicate(), BlockRegions.renewed(without));
  }
}
