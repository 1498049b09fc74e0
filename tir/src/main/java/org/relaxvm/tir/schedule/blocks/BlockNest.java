package org.relaxvm.tir.schedule.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.tir.analysis.AccessFootprint;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.nest.Statements;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/** A block in new serial loops that visit some of its points. */
final class BlockNest {
  private static final Stmt NOTHING = new Seq(List.of());

  private final Analyzer analyzer;
  private final Map<Var, AccessFootprint.Span> spans;
  private final List<For> spatial = new ArrayList<>();
  private final List<For> others = new ArrayList<>();
  private PrimExpr predicate = IntImm.of(true);

  private BlockNest(Analyzer analyzer, Map<Var, AccessFootprint.Span> spans) {
    this.analyzer = analyzer;
    this.spans = spans;
  }

  /**
   * The block in its loops.
   *
   * @param analyzer what is known where the nest will be
   * @param spans where to visit an axis; an axis that is not among them is visited as a whole
   */
  static Stmt of(Block block, Analyzer analyzer, Map<Var, AccessFootprint.Span> spans) {
    return new BlockNest(analyzer, spans).build(block);
  }

  private Stmt build(Block block) {
    List<PrimExpr> values = new ArrayList<>();
    try (Analyzer.Scope scope = analyzer.scope()) {
      for (IterVar axis : block.iterVars()) {
        values.add(visit(axis, "ax" + values.size()));
      }
    }
    Stmt stmt = new BlockRealize(values, predicate, block);
    List<For> loops = new ArrayList<>(spatial);
    loops.addAll(others);
    for (For loop : loops.reversed()) {
      stmt = Statements.with(loop, stmt);
    }
    return stmt;
  }

  private PrimExpr visit(IterVar axis, String name) {
    Range domain = axis.domain();
    Optional<AccessFootprint.Span> span = Optional.ofNullable(spans.get(axis.var()));
    PrimExpr min = span.map(AccessFootprint.Span::min).orElse(domain.min());
    PrimExpr extent = span.map(s -> s.extent(analyzer)).orElse(domain.extent());
    PrimExpr value = min;
    if (!(extent instanceof IntImm one && one.value() == 1)) {
      Var counter = new Var(name, axis.var().dtype());
      For loop = For.serial(counter, extent, NOTHING);
      (axis.kind() == IterKind.SPATIAL ? spatial : others).add(loop);
      analyzer.bind(counter, new Range(loop.min(), extent));
      value = Exprs.add(min, counter);
    }
    if (span.isPresent()) {
      restrict(Exprs.le(domain.min(), value));
      restrict(Exprs.lt(value, Exprs.add(domain.min(), domain.extent())));
    }
    return value;
  }

  private void restrict(PrimExpr condition) {
    if (!analyzer.canProve(condition)) {
      predicate = Exprs.and(predicate, condition);
    }
  }
}
