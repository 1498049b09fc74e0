package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.arith.Interval;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Range;

/**
 * How large extents are at most, by what a function says of its symbolic variables. Source:
 * docs/spec/passes.md, section 10.1.
 */
final class UpperBounds {
  private final Analyzer analyzer = new Analyzer();
  private final Map<Var, Extremes> known = new HashMap<>();

  /** The smallest and the largest value: expressions of variables without bounds. */
  private record Extremes(PrimExpr least, PrimExpr most) {}

  /** The bounds that the attributes of a function give. */
  static UpperBounds of(RelaxFunction function) {
    UpperBounds bounds = new UpperBounds();
    Map<?, ?> upper = map(function, "tir_var_upper_bound");
    Map<?, ?> lower = map(function, "tir_var_lower_bound");
    for (Var symbol : Symbols.definedBy(function.params().stream().map(RelaxVar::type).toList())) {
      long least = lower.get(symbol.name()) instanceof Long given ? Math.max(0, given) : 0;
      if (upper.get(symbol.name()) instanceof Long most) {
        bounds.known.put(symbol, new Extremes(IntImm.of(least), IntImm.of(most)));
        bounds.analyzer.bind(
            symbol, new Range(IntImm.of(least), IntImm.of(Math.max(0, most - least) + 1)));
      }
      bounds.analyzer.markNonNegative(symbol);
    }
    return bounds;
  }

  private static Map<?, ?> map(RelaxFunction function, String attr) {
    return function.attrs().values().get(attr) instanceof Map<?, ?> map ? map : Map.of();
  }

  /** An extent that is never smaller; itself where no bound is known. */
  PrimExpr of(PrimExpr extent) {
    if (Symbols.usedBy(extent).stream().noneMatch(known::containsKey)) {
      return extent;
    }
    Interval interval = analyzer.bound(extent);
    return interval.hasMax()
        ? IntImm.of(interval.max())
        : range(extent).map(Extremes::most).map(analyzer::simplify).orElse(extent);
  }

  /** Whether two sizes are certainly equal. */
  boolean areEqual(PrimExpr a, PrimExpr b) {
    return analyzer.canProveEqual(a, b);
  }

  private Optional<Extremes> range(PrimExpr expr) {
    return switch (expr) {
      case Var var -> Optional.of(known.getOrDefault(var, new Extremes(var, var)));
      case Binary binary -> {
        Optional<Extremes> a = range(binary.a());
        Optional<Extremes> b = range(binary.b());
        yield a.isEmpty() || b.isEmpty() ? Optional.empty() : range(binary, a.get(), b.get());
      }
      case IntImm constant -> Optional.of(new Extremes(constant, constant));
      default ->
          Symbols.usedBy(expr).stream().anyMatch(known::containsKey)
              ? Optional.empty()
              : Optional.of(new Extremes(expr, expr));
    };
  }

  private Optional<Extremes> range(Binary binary, Extremes a, Extremes b) {
    return switch (binary.op()) {
      case ADD ->
          Optional.of(new Extremes(Exprs.add(a.least(), b.least()), Exprs.add(a.most(), b.most())));
      case SUB ->
          Optional.of(new Extremes(Exprs.sub(a.least(), b.most()), Exprs.sub(a.most(), b.least())));
      case MUL ->
          isNonNegative(a.least()) && isNonNegative(b.least())
              ? Optional.of(
                  new Extremes(Exprs.mul(a.least(), b.least()), Exprs.mul(a.most(), b.most())))
              : Optional.empty();
      case FLOOR_DIV ->
          b.most() instanceof IntImm divisor && divisor.value() > 0 && b.least().equals(b.most())
              ? Optional.of(
                  new Extremes(
                      Exprs.floorDiv(a.least(), divisor), Exprs.floorDiv(a.most(), divisor)))
              : Optional.empty();
      case FLOOR_MOD ->
          b.most() instanceof IntImm divisor && divisor.value() > 0
              ? Optional.of(new Extremes(IntImm.of(0), IntImm.of(divisor.value() - 1)))
              : Optional.empty();
      case MIN ->
          Optional.of(new Extremes(Exprs.min(a.least(), b.least()), Exprs.min(a.most(), b.most())));
      case MAX ->
          Optional.of(new Extremes(Exprs.max(a.least(), b.least()), Exprs.max(a.most(), b.most())));
      default -> Optional.empty();
    };
  }

  private boolean isNonNegative(PrimExpr expr) {
    return analyzer.canProve(Exprs.le(IntImm.of(0), expr));
  }

  /** The bytes of a tensor that is as large as it can be. */
  PrimExpr byteSize(List<PrimExpr> dims, int bits) {
    boolean wholeBytes = bits % 8 == 0;
    long known = wholeBytes ? bits / 8 : bits;
    List<PrimExpr> symbolic = new ArrayList<>();
    for (PrimExpr dim : dims) {
      if (of(dim) instanceof IntImm extent) {
        known *= extent.value();
      } else {
        symbolic.add(of(dim));
      }
    }
    PrimExpr size = IntImm.of(known);
    for (PrimExpr dim : symbolic) {
      size = Exprs.mul(size, dim);
    }
    return wholeBytes ? size : Exprs.ceilDiv(size, IntImm.of(8));
  }
}
