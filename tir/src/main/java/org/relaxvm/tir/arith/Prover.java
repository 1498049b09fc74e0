package org.relaxvm.tir.arith;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;

/**
 * Shows that polynomials are at least 0: by bounds, else by taking away multiples of what is known
 * to be at least 0 until bounds suffice. Gives up after a fixed number of tries.
 */
final class Prover {
  private static final int DEEPEST = 4;
  private static final int MOST_TRIES = 200;

  private final Workspace work;
  private int tries;
  // What the search could not show, and how deep it went from there.
  private Map<Polynomial, Integer> failures = Map.of();

  Prover(Workspace work) {
    this.work = work;
  }

  /** Whether it can be shown that a value is at least 0. */
  boolean isNonNegative(Polynomial polynomial) {
    if (polynomial.isConstant()) {
      return polynomial.constant() >= 0;
    }
    Boolean known = work.constraints().proofs().get(polynomial);
    if (known == null) {
      known = search(polynomial);
      work.constraints().proofs().put(polynomial, known);
    }
    return known;
  }

  private boolean search(Polynomial polynomial) {
    if (work.bounds.of(polynomial).min() >= 0) {
      return true;
    }
    // A proof may ask for simpler ones on its way; each counts its own tries.
    int outerTries = tries;
    Map<Polynomial, Integer> outerFailures = failures;
    tries = MOST_TRIES;
    failures = new HashMap<>();
    try {
      return prove(polynomial, DEEPEST);
    } finally {
      tries = outerTries;
      failures = outerFailures;
    }
  }

  /** The same condition of integers with the smallest coefficients: 4 i - 3 >= 0 is i - 1 >= 0. */
  static Polynomial tighten(Polynomial polynomial) {
    long content = polynomial.contentWithoutConstant();
    return content <= 1
        ? polynomial
        : polynomial
            .withoutConstant()
            .dividedExactlyBy(content)
            .plus(Math.floorDiv(polynomial.constant(), content));
  }

  private boolean prove(Polynomial open, int depth) {
    try {
      Polynomial goal = tighten(open);
      if (work.bounds.of(goal).min() >= 0) {
        return true;
      }
      if (depth == 0 || failures.getOrDefault(goal, 0) >= depth || --tries <= 0) {
        return false;
      }
      if (proveByForm(goal, depth) || proveByFacts(goal, depth)) {
        return true;
      }
      failures.put(goal, depth);
      return false;
    } catch (ArithmeticException tooLarge) {
      return false;
    }
  }

  private boolean proveByForm(Polynomial goal, int depth) {
    for (Term term : goal.terms()) {
      for (int atom : term.monomial().atoms()) {
        PrimExpr form = work.atoms.atom(atom);
        List<PrimExpr> choices = choices(form);
        if (!choices.isEmpty()) {
          return choices.stream()
              .allMatch(choice -> prove(replaced(goal, atom, work.parse(choice)), depth - 1));
        }
        Polynomial without = withoutQuotient(goal, term, form);
        if (without != null && prove(without, depth - 1)) {
          return true;
        }
      }
    }
    return false;
  }

  /** What the value is one of. */
  private static List<PrimExpr> choices(PrimExpr form) {
    return switch (form) {
      case Binary binary when binary.op() == BinaryOp.MIN || binary.op() == BinaryOp.MAX ->
          binary.operands();
      case Select select -> List.of(select.whenTrue(), select.whenFalse());
      case Call call when call.op() == Intrinsic.IF_THEN_ELSE -> call.args().subList(1, 3);
      default -> List.of();
    };
  }

  private static Polynomial replaced(Polynomial goal, int atom, Polynomial value) {
    Polynomial result = Polynomial.of(goal.dtype(), 0);
    for (Term term : goal.terms()) {
      Monomial others = term.monomial().dividedBy(Monomial.of(atom));
      result =
          result.plus(
              others == null
                  ? Polynomial.of(goal.dtype(), term.monomial(), term.coefficient())
                  : value.times(others, term.coefficient()));
    }
    return result;
  }

  /**
   * A condition that is the same: x // d <= e where x <= d * e + d - 1, and x // d >= e likewise.
   */
  private @Nullable Polynomial withoutQuotient(Polynomial goal, Term term, PrimExpr form) {
    if (!term.monomial().isAtom()
        || Math.abs(term.coefficient()) != 1
        || !(form instanceof Binary binary && binary.op() == BinaryOp.FLOOR_DIV)) {
      return null;
    }
    Polynomial dividend = work.parse(binary.a());
    Polynomial divisor = work.parse(binary.b());
    if (work.bounds.of(divisor).min() <= 0) {
      return null;
    }
    Polynomial others =
        goal.minus(Polynomial.of(goal.dtype(), term.monomial(), term.coefficient())).times(divisor);
    return term.coefficient() > 0
        ? others.plus(dividend)
        : others.plus(divisor).plus(-1).minus(dividend);
  }

  private boolean proveByFacts(Polynomial goal, int depth) {
    List<Polynomial> facts = new ArrayList<>(work.constraints().nonNegative);
    for (int atom : goal.atoms()) {
      addFactsOfForm(atom, facts);
    }
    for (Term term : goal.terms()) {
      Monomial bad = term.monomial();
      long have = term.coefficient();
      if (bad.isOne() || work.bounds.of(bad).times(Interval.of(have)).min() >= 0) {
        continue;
      }
      for (Polynomial fact : facts) {
        for (Term part : fact.terms()) {
          Monomial factor = part.monomial().isOne() ? null : bad.dividedBy(part.monomial());
          if (factor != null
              && (have < 0) == (part.coefficient() < 0)
              && work.bounds.of(factor).min() >= 0
              && proveWithout(goal, have, fact, part.coefficient(), factor, depth)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  // a * goal - b * factor * fact >= 0 and fact >= 0 make the goal, as a, b and the factor do not
  // change signs.
  private boolean proveWithout(
      Polynomial goal, long have, Polynomial fact, long part, Monomial factor, int depth) {
    try {
      long shared = Polynomial.gcd(have, part);
      long a = Math.absExact(part) / shared;
      long b = Math.absExact(have) / shared;
      return prove(goal.times(a).minus(fact.times(factor, b)), depth - 1);
    } catch (ArithmeticException tooLarge) {
      return false;
    }
  }

  private void addFactsOfForm(int atom, List<Polynomial> facts) {
    PrimExpr form = work.atoms.atom(atom);
    if (!(form instanceof Binary binary) || !Workspace.isIndex(form.dtype())) {
      return;
    }
    try {
      Polynomial value = Polynomial.of(form.dtype(), Monomial.of(atom), 1);
      Polynomial a = work.parse(binary.a());
      Polynomial b = work.parse(binary.b());
      switch (binary.op()) {
        case MIN -> {
          facts.add(a.minus(value));
          facts.add(b.minus(value));
        }
        case MAX -> {
          facts.add(value.minus(a));
          facts.add(value.minus(b));
        }
        case FLOOR_DIV -> {
          if (work.bounds.of(b).min() > 0) {
            Polynomial remainder = a.minus(value.times(b));
            facts.add(remainder);
            facts.add(b.minus(remainder).plus(-1));
          }
        }
        case FLOOR_MOD -> {
          if (work.bounds.of(b).min() > 0) {
            facts.add(b.minus(value).plus(-1));
            if (work.bounds.of(a).min() >= 0) {
              facts.add(a.minus(value));
            }
          }
        }
        default -> {}
      }
    } catch (ArithmeticException tooLarge) {
      // Then there is one fact less to prove with.
      return;
    }
  }
}
