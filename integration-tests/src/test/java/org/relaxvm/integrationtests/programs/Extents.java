package org.relaxvm.integrationtests.programs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;

/** What extents of a random program are in its runs. */
final class Extents {
  private final Map<Var, long[]> symbols = new HashMap<>();
  private final Analyzer analyzer = new Analyzer();
  private final int runs;

  Extents(int runs) {
    this.runs = runs;
  }

  void define(Var symbol, long... perRun) {
    symbols.put(symbol, perRun.clone());
  }

  int runs() {
    return runs;
  }

  long in(int run, PrimExpr extent) {
    Map<Var, PrimExpr> known = new HashMap<>();
    for (Var symbol : Symbols.usedBy(extent)) {
      long[] perRun = symbols.get(symbol);
      if (perRun == null) {
        throw new AssertionError("no extent for " + symbol);
      }
      known.put(symbol, IntImm.of(perRun[run]));
    }
    return ((IntImm) analyzer.simplify(Substitution.in(extent, known))).value();
  }

  /** In each run. */
  long[] of(PrimExpr extent) {
    return IntStream.range(0, runs).mapToLong(run -> in(run, extent)).toArray();
  }

  /** The most in any run. */
  long most(PrimExpr extent) {
    return IntStream.range(0, runs).mapToLong(run -> in(run, extent)).max().orElse(0);
  }

  /** The most elements in any run. */
  long elements(List<PrimExpr> dims) {
    long most = 0;
    for (int run = 0; run < runs; run++) {
      long product = 1;
      for (PrimExpr dim : dims) {
        product *= in(run, dim);
      }
      most = Math.max(most, product);
    }
    return most;
  }
}
