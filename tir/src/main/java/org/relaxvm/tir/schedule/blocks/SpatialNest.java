package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A copy of those loops around a reduction that do not move along it: what visits each element that
 * the reduction gives just once.
 */
final class SpatialNest {
  private final BlockRealize realize;
  private final List<For> loops;
  private final List<For> spatial = new ArrayList<>();
  private final String what;
  private final String suffix;
  private final Map<Var, Var> counters = new HashMap<>();
  private final Map<Var, Var> vars = new HashMap<>();
  private final List<IterVar> axes = new ArrayList<>();
  private final List<PrimExpr> values = new ArrayList<>();

  /**
   * The nest of a block.
   *
   * @param loops around the block, from where the copy will be
   * @param suffix of the names of the new variables
   */
  SpatialNest(BlockRealize realize, List<For> loops, String suffix, String what) {
    this.realize = realize;
    this.loops = loops;
    this.suffix = suffix;
    this.what = what;
    loops.forEach(this::copyIfSpatial);
    Block block = realize.block();
    for (int i = 0; i < block.iterVars().size(); i++) {
      IterVar axis = block.iterVars().get(i);
      if (axis.kind() == IterKind.SPATIAL) {
        Var var = new Var(axis.var().name() + suffix, axis.var().dtype());
        vars.put(axis.var(), var);
        axes.add(new IterVar(var, axis.domain(), IterKind.SPATIAL));
        values.add(Substitution.in(realize.iterValues().get(i), counters));
      }
    }
  }

  /** Copies of the spatial axes of the block. */
  List<IterVar> axes() {
    return axes;
  }

  /** Their values. */
  List<PrimExpr> values() {
    return values;
  }

  /** The copies by what they are copies of. */
  Map<Var, Var> vars() {
    return vars;
  }

  /** Something in copies of the loops. */
  Stmt around(Stmt body) {
    Stmt stmt = body;
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

  private void copyIfSpatial(For loop) {
    boolean alongSpatial = moves(realize, loop, IterKind.SPATIAL);
    boolean alongReduction =
        moves(realize, loop, IterKind.REDUCE) || moves(realize, loop, IterKind.OPAQUE);
    if (alongSpatial && alongReduction) {
      throw Refusal.of(
          what, "the loop over " + loop.loopVar() + " moves along the reduction and other axes");
    }
    if (alongSpatial) {
      spatial.add(loop);
      Var counter = loop.loopVar();
      counters.put(counter, new Var(counter.name() + suffix, counter.dtype()));
    }
  }

  /** Whether a loop moves a block along axes of a kind. */
  static boolean moves(BlockRealize realize, For loop, IterKind kind) {
    Block block = realize.block();
    for (int i = 0; i < block.iterVars().size(); i++) {
      if (block.iterVars().get(i).kind() == kind
          && Statements.uses(realize.iterValues().get(i), loop.loopVar())) {
        return true;
      }
    }
    return false;
  }

  /** What of the predicate says nothing about loops of the reduction. */
  PrimExpr predicate() {
    PrimExpr kept = IntImm.of(true);
    for (PrimExpr part : Exprs.conjuncts(realize.predicate())) {
      List<For> used =
          loops.stream().filter(loop -> Statements.uses(part, loop.loopVar())).toList();
      if (spatial.containsAll(used)) {
        kept = Exprs.and(kept, part);
      } else if (used.stream().anyMatch(spatial::contains)) {
        throw Refusal.of(what, "a condition of the block depends on the reduction and other axes");
      }
    }
    return Substitution.in(kept, counters);
  }
}
