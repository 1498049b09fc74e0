package org.relaxvm.tir.arith;

import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Puts quotients and remainders of one dividend together again. Source: docs/spec/relax-ir.md,
 * section 2.3.
 */
final class Recombination {
  private static final int MOST_STEPS = 16;

  private final Workspace work;

  Recombination(Workspace work) {
    this.work = work;
  }

  Polynomial apply(Polynomial polynomial) {
    Polynomial result = polynomial;
    for (int step = 0; step < MOST_STEPS; step++) {
      Polynomial next = step(result);
      if (next == null) {
        break;
      }
      result = next;
    }
    return result;
  }

  private @Nullable Polynomial step(Polynomial sum) {
    for (Term term : sum.terms()) {
      for (int atom : term.monomial().atoms()) {
        Monomial others = term.monomial().dividedBy(Monomial.of(atom));
        if (others != null && work.atoms.atom(atom) instanceof Binary binary) {
          Polynomial next =
              switch (binary.op()) {
                case FLOOR_MOD -> withRemainder(sum, term, others, binary);
                case FLOOR_DIV -> withQuotient(sum, term, others, binary);
                default -> null;
              };
          if (next != null) {
            return next;
          }
        }
      }
    }
    return null;
  }

  private @Nullable Polynomial withRemainder(
      Polynomial sum, Term term, Monomial others, Binary binary) {
    Polynomial dividend = work.parse(binary.a());
    Polynomial divisor = work.parse(binary.b());
    if (divisor.isZero()) {
      return null;
    }
    long k = term.coefficient();
    Polynomial quotient = work.division.quotient(dividend, divisor);
    Polynomial without = sum.minus(Polynomial.of(sum.dtype(), term.monomial(), k));
    // x // d * d + x % d -> x
    Polynomial multiple = quotient.times(divisor).times(others, k);
    if (contains(sum, multiple)) {
      return without.minus(multiple).plus(dividend.times(others, k));
    }
    // x // b % a * b + x % b -> x % (a * b)
    if (divisor.isConstant() && divisor.constant() > 0) {
      for (Term other : without.terms()) {
        Monomial atom = other.monomial().dividedBy(others);
        if (atom != null
            && atom.isAtom()
            && other.coefficient() == Math.multiplyExact(k, divisor.constant())
            && work.atoms.atom(atom.first()) instanceof Binary upper
            && upper.op() == BinaryOp.FLOOR_MOD
            && work.parse(upper.a()).equals(quotient)) {
          Polynomial upperDivisor = work.parse(upper.b());
          if (upperDivisor.isConstant() && upperDivisor.constant() > 0) {
            long product = Math.multiplyExact(divisor.constant(), upperDivisor.constant());
            return without
                .minus(Polynomial.of(sum.dtype(), other.monomial(), other.coefficient()))
                .plus(work.division.remainder(dividend, product).times(others, k));
          }
        }
      }
    }
    return null;
  }

  private @Nullable Polynomial withQuotient(
      Polynomial sum, Term term, Monomial others, Binary binary) {
    Polynomial divisor = work.parse(binary.b());
    if (divisor.terms().size() != 1) {
      return null;
    }
    Term only = divisor.terms().getFirst();
    Monomial remaining = others.dividedBy(only.monomial());
    if (remaining == null || term.coefficient() % only.coefficient() != 0) {
      return null;
    }
    long k = Math.divideExact(term.coefficient(), only.coefficient());
    PrimExpr dividendExpr = binary.a();
    Polynomial dividend = work.parse(dividendExpr);
    Polynomial without = sum.minus(Polynomial.of(sum.dtype(), term.monomial(), term.coefficient()));
    // x // c * c -> x of a multiple of c
    if (divisor.isConstant() && work.division.isKnownMultiple(dividend, divisor.constant())) {
      return without.plus(dividend.times(remaining, k));
    }
    // x - x // d * d -> x % d
    Polynomial negative = dividend.times(remaining, Math.negateExact(k));
    if (contains(sum, negative)) {
      return without
          .minus(negative)
          .plus(work.division.remainder(dividend, divisor).times(remaining, Math.negateExact(k)));
    }
    return null;
  }

  /** Whether all terms of a part, of which a constant does not count, are terms of the sum. */
  private static boolean contains(Polynomial sum, Polynomial part) {
    Polynomial wanted = part.withoutConstant();
    for (Term term : wanted.terms()) {
      if (sum.coefficient(term.monomial()) != term.coefficient()) {
        return false;
      }
    }
    return !wanted.isZero();
  }
}
