package org.relaxvm.tir.arith;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.CallException;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Range;

/** What the analyzer says about random expressions is true of all values that are tried. */
@Tag("effort")
class DifferentialAnalyzerTest {
  private static final RandomCases CASES =
      RandomCases.of(Effort.chosen().pick(8_000, 24_000, 150_000));
  private static final int SAMPLES = 16;

  private int provenConditions;
  private int changed;
  private int bounded;

  @Test
  void whatIsSaidHoldsForAllValuesThatAreTried() {
    System.out.println("DifferentialAnalyzerTest: " + CASES);
    CASES.numbers().forEach(i -> new Case(new Random(CASES.seed() + i), CASES.repeat(i)).run());
    if (!CASES.isSingle()) {
      // A prover that never says anything would be right, too.
      assertThat(provenConditions).isGreaterThan((int) CASES.count() / 10);
      assertThat(changed).isGreaterThan((int) CASES.count() / 4);
      assertThat(bounded).isGreaterThan((int) CASES.count() / 4);
    }
  }

  /** One set of variables with their bounds, and expressions of them. */
  private final class Case {
    private final Random random;
    private final String location;
    private final Analyzer analyzer = new Analyzer();
    private final List<Var> vars = new ArrayList<>();
    private final List<Range> ranges = new ArrayList<>();

    Case(Random random, String location) {
      this.random = random;
      this.location = location;
    }

    void run() {
      Var n = Var.index("n");
      add(n, new Range(IntImm.of(random.nextInt(3)), IntImm.of(1 + random.nextInt(20))));
      add(Var.index("i"), new Range(IntImm.of(0), IntImm.of(1 + random.nextInt(32))));
      add(Var.index("j"), new Range(IntImm.of(random.nextInt(9) - 4), IntImm.of(8)));
      add(Var.index("k"), new Range(IntImm.of(0), n));
      DType narrow = DType.INT32;
      add(new Var("x", narrow), new Range(new IntImm(narrow, -5), new IntImm(narrow, 16)));
      for (int v = 0; v < vars.size(); v++) {
        analyzer.bind(vars.get(v), ranges.get(v));
      }
      RandomExprs exprs = new RandomExprs(random, vars);
      int depth = 1 + random.nextInt(4);
      PrimExpr index = exprs.index(random.nextInt(5) == 0 ? narrow : DType.INT64, depth);
      PrimExpr condition = exprs.condition(depth);
      check(List.of(index, condition), Optional.empty());
      PrimExpr constraint = exprs.condition(random.nextInt(3));
      try (Analyzer.Scope scope = analyzer.withConstraint(constraint)) {
        assertThat(scope).isNotNull();
        check(List.of(index, condition), Optional.of(constraint));
      }
      check(List.of(index), Optional.empty());
    }

    private void add(Var var, Range range) {
      vars.add(var);
      ranges.add(range);
    }

    private void check(List<PrimExpr> exprs, Optional<PrimExpr> constraint) {
      List<IntegerEvaluator> samples = new ArrayList<>();
      for (int s = 0; s < SAMPLES; s++) {
        sample(constraint).ifPresent(samples::add);
      }
      if (samples.isEmpty()) {
        return;
      }
      for (PrimExpr expr : exprs) {
        check(expr, samples, constraint);
      }
    }

    private void check(
        PrimExpr expr, List<IntegerEvaluator> samples, Optional<PrimExpr> constraint) {
      PrimExpr simple = analyzer.simplify(expr);
      Interval bound = analyzer.bound(expr);
      int divisor = 2 + random.nextInt(7);
      boolean multiple = analyzer.isMultipleOf(expr, divisor);
      boolean proven = expr.dtype().equals(DType.BOOL) && analyzer.canProve(expr);
      String what = location + ": " + expr + "\n  became " + simple + "\n  under " + constraint;
      PrimExpr again = analyzer.simplify(simple);
      provenConditions += proven ? 1 : 0;
      changed += simple.equals(expr) ? 0 : 1;
      bounded += bound.hasMin() && bound.hasMax() ? 1 : 0;
      for (IntegerEvaluator sample : samples) {
        Optional<Long> value = valueOf(sample, expr);
        if (value.isEmpty()) {
          continue;
        }
        assertThat(valueOf(sample, simple)).as(what).isEqualTo(value);
        assertThat(valueOf(sample, again)).as(what + ", " + again).isEqualTo(value);
        assertThat(bound.contains(value.get())).as(what + ": " + value + " " + bound).isTrue();
        assertThat(!multiple || value.get() % divisor == 0).as(what + " % " + divisor).isTrue();
        assertThat(!proven || value.get() == 1).as(what).isTrue();
      }
    }

    private Optional<IntegerEvaluator> sample(Optional<PrimExpr> constraint) {
      Map<Var, Long> values = new IdentityHashMap<>();
      IntegerEvaluator sample = new IntegerEvaluator(values);
      for (int v = 0; v < vars.size(); v++) {
        long extent = sample.evaluate(ranges.get(v).extent());
        if (extent <= 0) {
          return Optional.empty();
        }
        long min = sample.evaluate(ranges.get(v).min());
        values.put(vars.get(v), min + random.nextInt((int) extent));
      }
      boolean fits = constraint.isEmpty() || valueOf(sample, constraint.get()).orElse(0L) == 1;
      return fits ? Optional.of(sample) : Optional.empty();
    }

    private static Optional<Long> valueOf(IntegerEvaluator sample, PrimExpr expr) {
      try {
        return Optional.of(sample.evaluate(expr));
      } catch (CallException dividedByZero) {
        return Optional.empty();
      }
    }
  }
}
