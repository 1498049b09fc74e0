package org.relaxvm.tir.schedule.loops;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.schedule.nest.Refusal;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Whether two bodies of loops may be interleaved, where the second waited for all iterations of the
 * first before: then no later iteration of the first may work on what an iteration of the second
 * works on.
 */
final class IterationOrder {
  private final Stmt root;
  private final For loop;
  private final String what;

  /**
   * The order of iterations of a loop.
   *
   * @param root of the kernel
   * @param loop gives the range of the counter, of which both bodies are in terms
   */
  IterationOrder(Stmt root, For loop, String what) {
    this.root = root;
    this.loop = loop;
    this.what = what;
  }

  /** An element that an iteration works on. */
  private record Access(String block, Buffer buffer, List<PrimExpr> indices, boolean writes) {}

  void requireKept(Stmt first, Stmt second) {
    IterationAccesses a = new IterationAccesses(what, first);
    IterationAccesses b = new IterationAccesses(what, second);
    for (Access early : a.accesses) {
      for (Access late : b.accesses) {
        boolean clash = early.buffer().equals(late.buffer()) && (early.writes() || late.writes());
        if (clash && !apart(a, early, b, late)) {
          throw Refusal.of(
              what,
              "an iteration of the block "
                  + late.block()
                  + " may work on an element of "
                  + early.buffer()
                  + " that the block "
                  + early.block()
                  + " works on in a later iteration");
        }
      }
    }
  }

  /** Whether no later iteration of the first works on the element. */
  private boolean apart(IterationAccesses a, Access early, IterationAccesses b, Access late) {
    if (early.indices().stream().anyMatch(IterationOrder::looksUp)
        || late.indices().stream().anyMatch(IterationOrder::looksUp)) {
      return false;
    }
    Analyzer analyzer = new Analyzer();
    outside().forEach(analyzer::bind);
    Var counter = loop.loopVar();
    analyzer.bind(counter, new Range(loop.min(), loop.extent()));
    b.inside.forEach(analyzer::bind);
    Var distance = new Var("distance", counter.dtype());
    analyzer.markNonNegative(distance);
    Map<Var, PrimExpr> later = new HashMap<>();
    PrimExpr next = Exprs.add(Exprs.add(counter, distance), 1);
    later.put(counter, next);
    a.inside.forEach(
        (var, range) -> {
          Var other = new Var(var.name() + "_later", var.dtype());
          analyzer.bind(
              other,
              new Range(
                  Substitution.in(range.min(), later), Substitution.in(range.extent(), later)));
          later.put(var, other);
        });
    List<PrimExpr> there = early.indices().stream().map(i -> Substitution.in(i, later)).toList();
    for (int axis = 0; axis < there.size(); axis++) {
      if (differ(analyzer, late.indices().get(axis), there.get(axis))) {
        return true;
      }
    }
    List<PrimExpr> steps = Exprs.rowMajorStrides(early.buffer().shape());
    return differ(analyzer, Exprs.dot(late.indices(), steps), Exprs.dot(there, steps));
  }

  private static boolean differ(Analyzer analyzer, PrimExpr a, PrimExpr b) {
    return analyzer.canProve(Exprs.lt(a, b)) || analyzer.canProve(Exprs.lt(b, a));
  }

  static boolean looksUp(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(IterationOrder::looksUp);
  }

  /** The ranges of the counters of loops around, from the outside in. */
  @SuppressWarnings("ReferenceEquality") // that very loop
  private Map<Var, Range> outside() {
    Map<Var, Range> ranges = new LinkedHashMap<>();
    StmtPath.find(root, stmt -> stmt == loop)
        .ifPresent(
            path -> {
              for (Stmt around : path.stmts()) {
                if (around instanceof For outer && outer != loop) {
                  ranges.put(outer.loopVar(), new Range(outer.min(), outer.extent()));
                }
              }
            });
    return ranges;
  }

  /** What one iteration works on, in terms of counters. */
  private static final class IterationAccesses extends IrVisitor {
    final List<Access> accesses = new ArrayList<>();
    final Map<Var, Range> inside = new LinkedHashMap<>();
    private final Map<Var, PrimExpr> values = new HashMap<>();
    private final String what;
    private String block = "root";

    IterationAccesses(String what, Stmt body) {
      this.what = what;
      visit(body);
    }

    @Override
    public void visit(Stmt stmt) {
      switch (stmt) {
        case For inner -> {
          visit(inner.min());
          visit(inner.extent());
          inside.put(inner.loopVar(), new Range(known(inner.min()), known(inner.extent())));
          visit(inner.body());
        }
        case Let let -> {
          visit(let.value());
          values.put(let.var(), known(let.value()));
          visit(let.body());
        }
        case BlockRealize realize -> visitBlock(realize);
        case CallPacked call -> throw Refusal.of(what, "one calls " + call.name());
        case Return result -> throw Refusal.of(what, "one returns");
        case BufferStore store -> {
          super.visit(store);
          add(store.buffer(), store.indices(), true);
        }
        default -> super.visit(stmt);
      }
    }

    private void visitBlock(BlockRealize realize) {
      realize.iterValues().forEach(this::visit);
      visit(realize.predicate());
      visit(realize.predicate());
      Block inner = realize.block();
      for (int i = 0; i < inner.iterVars().size(); i++) {
        values.put(inner.iterVars().get(i).var(), known(realize.iterValues().get(i)));
      }
      String outer = block;
      block = inner.name();
      // What a block says of itself is not walked through, only what it does.
      inner.init().ifPresent(this::visit);
      visit(inner.body());
      block = outer;
    }

    @Override
    public void visit(PrimExpr expr) {
      super.visit(expr);
      if (expr instanceof BufferLoad load) {
        add(load.buffer(), load.indices(), false);
      }
    }

    private void add(Buffer buffer, List<PrimExpr> indices, boolean writes) {
      accesses.add(new Access(block, buffer, indices.stream().map(this::known).toList(), writes));
    }

    private PrimExpr known(PrimExpr expr) {
      return Substitution.in(expr, values);
    }
  }
}
