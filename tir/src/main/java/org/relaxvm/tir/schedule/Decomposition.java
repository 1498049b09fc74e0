package org.relaxvm.tir.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.region.AccessRegions;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** A reduction as two blocks: one that starts it, and one that updates. */
final class Decomposition {
  private final BlockRealize realize;
  private final Block block;
  private final List<For> loops;
  private final String what;

  private Decomposition(Place place, For at) {
    realize = (BlockRealize) place.stmt();
    block = realize.block();
    what = "to start the block " + block.name() + " in front of the loop over " + at.loopVar();
    List<For> around = place.loops();
    int first = around.indexOf(at);
    if (first < 0) {
      throw Schedule.illegal(what, "that loop is not around the block");
    }
    loops = around.subList(first, around.size());
    around.subList(0, first).forEach(this::requireNoReduction);
  }

  /** What takes the place of the loop: the new block, then the loop with the rest. */
  static Stmt of(Place place, For at, String name) {
    Decomposition parts = new Decomposition(place, at);
    return new Seq(List.of(parts.start(name), Replacement.in(at, parts.realize, parts.update())));
  }

  private void requireNoReduction(For outside) {
    for (int i = 0; i < block.iterVars().size(); i++) {
      if (block.iterVars().get(i).kind() != IterKind.SPATIAL
          && Schedule.uses(realize.iterValues().get(i), outside.loopVar())) {
        throw Schedule.illegal(
            what,
            "the loop over " + outside.loopVar() + " around it moves along the reduction too");
      }
    }
  }

  private Stmt start(String name) {
    Stmt init = block.init().orElseThrow(() -> Schedule.illegal(what, "nothing starts the block"));
    List<IterVar> axes = new ArrayList<>();
    List<PrimExpr> values = new ArrayList<>();
    Map<Var, PrimExpr> renewed = new HashMap<>();
    List<For> spatial = spatialLoops();
    Map<Var, Var> counters = new HashMap<>();
    for (For loop : spatial) {
      Var counter = loop.loopVar();
      counters.put(counter, new Var(counter.name() + "_init", counter.dtype()));
    }
    for (int i = 0; i < block.iterVars().size(); i++) {
      IterVar axis = block.iterVars().get(i);
      if (axis.kind() == IterKind.SPATIAL) {
        Var var = new Var(axis.var().name() + "_init", axis.var().dtype());
        renewed.put(axis.var(), var);
        axes.add(new IterVar(var, axis.domain(), IterKind.SPATIAL));
        values.add(Substitution.in(realize.iterValues().get(i), counters));
      }
    }
    Stmt body = new Substitution(renewed).rewrite(init);
    AccessRegions regions = AccessRegions.of(body);
    Block starting =
        new Block(
            name,
            axes,
            regions.reads(),
            regions.writes(),
            List.of(),
            Optional.empty(),
            body,
            Map.of());
    PrimExpr predicate = Substitution.in(spatialPredicate(spatial), counters);
    Stmt stmt = new BlockRealize(values, predicate, starting);
    for (For loop : spatial.reversed()) {
      stmt =
          new For(
              Objects.requireNonNull(counters.get(loop.loopVar())),
              Substitution.in(loop.min(), counters),
              Substitution.in(loop.extent(), counters),
              loop.kind(),
              loop.thread(),
              stmt,
              Map.of());
    }
    return stmt;
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
    return new BlockRealize(realize.iterValues(), realize.predicate(), Regions.renew(without));
  }

  /** The loops that move along axes that are not those of the reduction. */
  private List<For> spatialLoops() {
    List<For> spatial = new ArrayList<>();
    for (For loop : loops) {
      boolean alongSpatial = moves(loop, IterKind.SPATIAL);
      boolean alongReduction = moves(loop, IterKind.REDUCE) || moves(loop, IterKind.OPAQUE);
      if (alongSpatial && alongReduction) {
        throw Schedule.illegal(
            what, "the loop over " + loop.loopVar() + " moves along the reduction and other axes");
      }
      if (alongSpatial) {
        spatial.add(loop);
      }
    }
    return spatial;
  }

  private boolean moves(For loop, IterKind kind) {
    for (int i = 0; i < block.iterVars().size(); i++) {
      if (block.iterVars().get(i).kind() == kind
          && Schedule.uses(realize.iterValues().get(i), loop.loopVar())) {
        return true;
      }
    }
    return false;
  }

  /** What of the predicate says nothing about loops of the reduction. */
  private PrimExpr spatialPredicate(List<For> spatial) {
    PrimExpr kept = IntImm.of(true);
    for (PrimExpr part : conjuncts(realize.predicate())) {
      List<For> used = loops.stream().filter(loop -> Schedule.uses(part, loop.loopVar())).toList();
      if (spatial.containsAll(used)) {
        kept = Exprs.and(kept, part);
      } else if (used.stream().anyMatch(spatial::contains)) {
        throw Schedule.illegal(
            what, "a condition of the block depends on the reduction and other axes");
      }
    }
    return kept;
  }

  private static List<PrimExpr> conjuncts(PrimExpr predicate) {
    if (predicate instanceof Binary and && and.op() == BinaryOp.AND) {
      List<PrimExpr> parts = new ArrayList<>(conjuncts(and.a()));
      parts.addAll(conjuncts(and.b()));
      return parts;
    }
    return List.of(predicate);
  }
}
