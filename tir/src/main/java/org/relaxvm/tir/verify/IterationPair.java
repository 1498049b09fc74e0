package org.relaxvm.tir.verify;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.arith.Interval;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Range;

/**
 * One iteration of a loop and any later one, with the loops inside at any point of theirs. What is
 * known of their counters is the same for all elements, so it is learned once.
 */
final class IterationPair {
  private final Analyzer analyzer;
  private final For loop;
  private final Map<Var, Range> inside;
  // What counters of the one iteration are in the other.
  private final Map<Var, PrimExpr> later = new HashMap<>();

  /**
   * Two iterations of a loop.
   *
   * @param inside the counters of loops inside, from the outside in
   */
  IterationPair(Analyzer analyzer, For loop, Map<Var, Range> inside) {
    this.analyzer = analyzer;
    this.loop = loop;
    this.inside = inside;
  }

  /**
   * Whether the two surely work on other elements, as far as one of them writes.
   *
   * @param elements by buffer, and whether they are written
   */
  boolean areApart(Map<Buffer, Map<List<PrimExpr>, Boolean>> elements) {
    try (Analyzer.Scope scope = analyzer.scope()) {
      learn();
      return elements.entrySet().stream()
          .allMatch(
              each ->
                  each.getValue().entrySet().stream()
                      .allMatch(first -> isApart(each.getKey(), first, each.getValue())));
    }
  }

  private void learn() {
    Var counter = loop.loopVar();
    analyzer.bind(counter, new Range(loop.min(), loop.extent()));
    inside.forEach(analyzer::bind);
    Var distance = new Var("distance", counter.dtype());
    analyzer.markNonNegative(distance);
    later.put(counter, Exprs.add(Exprs.add(counter, distance), 1));
    inside.forEach(
        (var, range) -> {
          Var other = new Var(var.name() + "_later", var.dtype());
          PrimExpr min = Substitution.in(range.min(), later);
          analyzer.bind(other, new Range(min, Substitution.in(range.extent(), later)));
          later.put(var, other);
        });
  }

  private boolean isApart(
      Buffer buffer,
      Map.Entry<List<PrimExpr>, Boolean> first,
      Map<List<PrimExpr>, Boolean> elements) {
    return elements.entrySet().stream()
        .filter(second -> first.getValue() || second.getValue())
        .allMatch(second -> areApart(buffer, first.getKey(), second.getKey()));
  }

  private boolean areApart(Buffer buffer, List<PrimExpr> here, List<PrimExpr> second) {
    List<PrimExpr> there = second.stream().map(index -> Substitution.in(index, later)).toList();
    List<PrimExpr> steps = Exprs.rowMajorStrides(buffer.shape());
    PrimExpr offset = Exprs.dot(here, steps);
    PrimExpr otherOffset = Exprs.dot(there, steps);
    // Bounds are much faster than proofs, and enough for most of what is apart.
    return IntStream.range(0, here.size()).anyMatch(axis -> farOff(here.get(axis), there.get(axis)))
        || farOff(offset, otherOffset)
        || IntStream.range(0, here.size()).anyMatch(axis -> differ(here.get(axis), there.get(axis)))
        || differ(offset, otherOffset);
  }

  private boolean farOff(PrimExpr a, PrimExpr b) {
    Interval distance = analyzer.bound(Exprs.sub(b, a));
    return distance.min() > 0 || distance.max() < 0;
  }

  private boolean differ(PrimExpr a, PrimExpr b) {
    return analyzer.canProve(Exprs.lt(a, b)) || analyzer.canProve(Exprs.lt(b, a));
  }
}
