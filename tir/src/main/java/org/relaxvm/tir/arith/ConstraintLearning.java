package org.relaxvm.tir.arith;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Range;

/** Takes conditions apart into facts. */
final class ConstraintLearning {
  private static final int ROUNDS = 3;

  private final Workspace work;

  ConstraintLearning(Workspace work) {
    this.work = work;
  }

  void assume(PrimExpr condition) {
    PrimExpr simple = work.simplify(condition);
    switch (simple) {
      case Binary binary when binary.op() == BinaryOp.AND ->
          binary.operands().forEach(this::assume);
      case Not not when not.a() instanceof Binary or && or.op() == BinaryOp.OR ->
          or.operands().forEach(operand -> assume(Conditions.not(operand)));
      case Binary binary when Workspace.isIndex(binary.a().dtype()) -> assumeComparison(binary);
      case IntImm known -> {}
      default -> addCondition(simple);
    }
  }

  /**
   * Takes it as known that a variable of which nothing is known lies in a range. The same as to
   * assume both comparisons, without a search for proofs of them, which there cannot be but by what
   * is known of other things that are made of it.
   *
   * @return false when nothing was learned, because only {@link #assume} can tell
   */
  boolean assumeRange(Var var, Range range) {
    if (!var.dtype().equals(DType.INT64)) {
      return false;
    }
    try {
      Polynomial value = work.polynomial(var);
      Polynomial min = work.polynomial(range.min());
      Polynomial end = work.polynomial(new Binary(BinaryOp.ADD, range.min(), range.extent()));
      assumeNonNegative(value.minus(min));
      if (!work.prover.isNonNegative(value.minus(end))) {
        assumeNonNegative(end.minus(value).plus(-1));
      }
      return true;
    } catch (ArithmeticException tooLarge) {
      return false;
    }
  }

  private void addCondition(PrimExpr condition) {
    work.constraints().conditions.add(condition);
    work.constraints().forgetResults();
  }

  private void assumeComparison(Binary comparison) {
    try {
      Polynomial margin = work.parse(comparison.b()).minus(work.parse(comparison.a()));
      switch (comparison.op()) {
        case LT -> assumeNonNegative(margin.plus(-1));
        case LE -> assumeNonNegative(margin);
        case EQ -> {
          learnDivisor(comparison);
          assumeNonNegative(margin);
          assumeNonNegative(margin.negated());
        }
        case NE -> {
          addCondition(comparison);
          if (work.prover.isNonNegative(margin)) {
            assumeNonNegative(margin.plus(-1));
          } else if (work.prover.isNonNegative(margin.negated())) {
            assumeNonNegative(margin.negated().plus(-1));
          }
        }
        default -> addCondition(comparison);
      }
    } catch (ArithmeticException tooLarge) {
      addCondition(comparison);
    }
  }

  // Of n % 4 == 0.
  private void learnDivisor(Binary equality) {
    for (List<PrimExpr> sides : List.of(equality.operands(), equality.operands().reversed())) {
      if (sides.get(1) instanceof IntImm zero
          && zero.value() == 0
          && sides.get(0) instanceof Binary remainder
          && remainder.op() == BinaryOp.FLOOR_MOD
          && remainder.b() instanceof IntImm divisor
          && divisor.value() > 0) {
        Integer atom = work.parse(remainder.a()).asAtom();
        if (atom != null) {
          long known = work.constraints().divisors.getOrDefault(atom, 1L);
          long shared = Polynomial.gcd(known, divisor.value());
          work.constraints()
              .divisors
              .put(atom, Math.multiplyExact(known / shared, divisor.value()));
          work.constraints().forgetResults();
          renewFacts();
        }
      }
    }
  }

  // Of i < (n + 15) // 16 with n % 16 == 0 comes i < n // 16.
  private void renewFacts() {
    for (Polynomial fact : List.copyOf(work.constraints().nonNegative)) {
      Polynomial renewed = work.polynomial(work.expression(fact));
      if (!renewed.equals(fact)) {
        assumeNonNegative(renewed);
      }
    }
  }

  /** Takes it as known that a value is at least 0. */
  void assumeNonNegative(Polynomial value) {
    Polynomial fact = Prover.tighten(value);
    if (fact.isConstant()) {
      return;
    }
    if (!isBound(fact) && !work.constraints().nonNegative.contains(fact)) {
      work.constraints().nonNegative.add(fact);
      work.constraints().forgetResults();
      learnDividends(fact);
    }
    Set<Integer> narrowed = new HashSet<>();
    learnBounds(fact, narrowed);
    // Tighter bounds may make those tighter that other facts give.
    for (int round = 0; !narrowed.isEmpty() && round < ROUNDS; round++) {
      Set<Integer> before = narrowed;
      narrowed = new HashSet<>();
      for (Polynomial each : List.copyOf(work.constraints().nonNegative)) {
        if (dependsOn(each, before)) {
          learnBounds(each, narrowed);
        }
      }
    }
  }

  /**
   * Whether a fact is {@code variable >= constant} of a constant from 0. The bounds of the variable
   * say all of it: they decide each product that a proof could use it for. As programs have many
   * extents, these are not kept among the facts that proofs go through.
   */
  private boolean isBound(Polynomial fact) {
    Polynomial value = fact.withoutConstant();
    Integer atom = value.asAtom();
    return atom != null && fact.constant() <= 0 && work.atoms.atom(atom) instanceof Var;
  }

  /** Whether bounds of some atoms may count for what a fact says. */
  private boolean dependsOn(Polynomial fact, Set<Integer> atoms) {
    for (Term term : fact.terms()) {
      for (int atom : term.monomial().atoms()) {
        if (atoms.contains(atom) || !(work.atoms.atom(atom) instanceof Var)) {
          return true;
        }
      }
    }
    return false;
  }

  // Of i < n // 4 comes 4 * i + 4 <= n.
  private void learnDividends(Polynomial fact) {
    for (Term term : fact.terms()) {
      long coefficient = term.coefficient();
      if (term.monomial().isAtom()
          && coefficient > 0
          && work.atoms.atom(term.monomial().first()) instanceof Binary quotient
          && quotient.op() == BinaryOp.FLOOR_DIV
          && quotient.b() instanceof IntImm divisor
          && divisor.value() > 1) {
        Polynomial others = fact.minus(Polynomial.of(fact.dtype(), term.monomial(), coefficient));
        assumeNonNegative(
            work.parse(quotient.a()).times(coefficient).plus(others.times(divisor.value())));
      }
    }
  }

  /**
   * Learns between which constants the atoms of a fact lie.
   *
   * @param narrowed gets the atoms of which something was learned
   */
  private void learnBounds(Polynomial fact, Set<Integer> narrowed) {
    for (Term term : fact.terms()) {
      long coefficient = term.coefficient();
      Interval others = work.bounds.without(fact, term);
      if (!others.hasMax() || coefficient == Long.MIN_VALUE || term.monomial().isOne()) {
        continue;
      }
      if (!term.monomial().isAtom()) {
        if (coefficient > 0 && others.max() < 0) {
          learnFactors(term.monomial(), narrowed);
        }
        continue;
      }
      // coefficient * atom >= -others.max
      long largest = Math.floorDiv(others.max(), Math.abs(coefficient));
      Interval learned =
          coefficient > 0
              ? Interval.from(Math.negateExact(largest))
              : new Interval(Long.MIN_VALUE, largest);
      int atom = term.monomial().first();
      if (narrow(atom, learned)) {
        narrowed.add(atom);
      }
    }
  }

  // Of 0 < m * n comes 1 <= m and 1 <= n, if neither is negative.
  private void learnFactors(Monomial product, Set<Integer> narrowed) {
    boolean noneNegative = true;
    for (int atom : product.atoms()) {
      noneNegative &= work.bounds.ofAtom(atom).min() >= 0;
    }
    for (int atom : product.atoms()) {
      if (noneNegative && narrow(atom, Interval.from(1))) {
        narrowed.add(atom);
      }
    }
  }

  private boolean narrow(int atom, Interval learned) {
    Interval before = work.bounds.ofAtom(atom);
    Interval after = before.narrowedTo(learned);
    if (after.equals(before)) {
      return false;
    }
    work.constraints().bounds.put(atom, after);
    work.constraints().forgetResults();
    return true;
  }
}
