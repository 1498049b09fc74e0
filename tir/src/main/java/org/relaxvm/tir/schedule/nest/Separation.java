package org.relaxvm.tir.schedule.nest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Whether the iterations of a loop move a block to points of their own: one iteration and any later
 * one, with the loops between them and the block at any of their iterations.
 */
public final class Separation {
  private final Analyzer analyzer = new Analyzer();
  private final Map<Var, PrimExpr> later = new HashMap<>();
  private final For loop;
  private final BlockRealize realize;

  private Separation(For loop, List<Stmt> between, BlockRealize realize) {
    this.loop = loop;
    this.realize = realize;
    for (IterVar axis : realize.block().iterVars()) {
      if (axis.domain().extent() instanceof Var extent) {
        analyzer.markNonNegative(extent);
      }
    }
    Var counter = loop.loopVar();
    analyzer.bind(counter, new Range(loop.min(), loop.extent()));
    Var distance = new Var("distance", counter.dtype());
    analyzer.markNonNegative(distance);
    later.put(counter, Exprs.add(Exprs.add(counter, distance), 1));
    between.forEach(this::enter);
  }

  private void enter(Stmt stmt) {
    if (stmt instanceof For inner) {
      Var other = new Var(inner.loopVar().name() + "_later", inner.loopVar().dtype());
      analyzer.bind(inner.loopVar(), new Range(inner.min(), inner.extent()));
      PrimExpr min = Substitution.in(inner.min(), later);
      analyzer.bind(other, new Range(min, Substitution.in(inner.extent(), later)));
      later.put(inner.loopVar(), other);
    } else if (stmt instanceof Let let) {
      later.put(let.var(), new Var(let.var().name() + "_later", let.var().dtype()));
    }
  }

  /**
   * Whether no two iterations run a block at one point.
   *
   * @param between the statements around the block, from the loop on
   * @param kind of the axes to tell points apart by
   */
  public static boolean holds(For loop, List<Stmt> between, BlockRealize realize, IterKind kind) {
    return new Separation(loop, between, realize).holds(kind);
  }

  private boolean holds(IterKind kind) {
    List<PrimExpr> moving = new ArrayList<>();
    List<PrimExpr> extents = new ArrayList<>();
    for (int i = 0; i < realize.iterValues().size(); i++) {
      IterVar axis = realize.block().iterVars().get(i);
      PrimExpr value = realize.iterValues().get(i);
      if (axis.kind() == kind && Statements.uses(value, loop.loopVar()) && !looksUp(value)) {
        if (value.equals(loop.loopVar())) {
          return true;
        }
        moving.add(value);
        extents.add(axis.domain().extent());
      }
    }
    PrimExpr both = Exprs.and(realize.predicate(), Substitution.in(realize.predicate(), later));
    try (Analyzer.Scope scope = analyzer.withConstraint(both)) {
      // Together: of fused loops no axis alone tells iterations apart.
      List<PrimExpr> steps = Exprs.rowMajorStrides(extents);
      return moving.stream().anyMatch(this::differs) || differs(Exprs.dot(moving, steps));
    }
  }

  private boolean differs(PrimExpr value) {
    PrimExpr there = Substitution.in(value, later);
    return value.dtype().equals(there.dtype())
        && (analyzer.canProve(Exprs.lt(value, there)) || analyzer.canProve(Exprs.lt(there, value)));
  }

  static boolean looksUp(PrimExpr value) {
    return value instanceof BufferLoad || value.operands().stream().anyMatch(Separation::looksUp);
  }
}
