package org.relaxvm.tir.arith;

import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.IntImm;

/**
 * Floor division of polynomials. Dividend = quotient * divisor + remainder, where the remainder has
 * the sign of the divisor. Source: docs/spec/relax-ir.md, section 2.3.
 */
final class Division {
  private final Workspace work;

  Division(Workspace work) {
    this.work = work;
  }

  /** {@code a // b}. */
  Polynomial quotient(Polynomial a, Polynomial b) {
    return b.isConstant() ? quotient(a, b.constant()) : divide(a, b, true);
  }

  /** {@code a % b}. */
  Polynomial remainder(Polynomial a, Polynomial b) {
    return b.isConstant() ? remainder(a, b.constant()) : divide(a, b, false);
  }

  /** {@code a // divisor}; the divisor is not 0. */
  Polynomial quotient(Polynomial a, long divisor) {
    if (divisor < 0) {
      return quotient(a.negated(), Math.negateExact(divisor));
    }
    Polynomial pulled = multiplesOf(divisor, a);
    Polynomial remainder = a.minus(pulled);
    Polynomial whole = pulled.dividedExactlyBy(divisor);
    return whole.plus(quotientOfRemainder(remainder, divisor));
  }

  private Polynomial quotientOfRemainder(Polynomial remainder, long divisor) {
    Long only = onlyQuotient(remainder, divisor);
    if (only != null) {
      return Polynomial.of(remainder.dtype(), only);
    }
    Polynomial known = knownMultiplesOf(divisor, remainder);
    if (!known.isZero() && !known.equals(remainder)) {
      return quotientOfRemainder(known, divisor).plus(quotient(remainder.minus(known), divisor));
    }
    Parts parts = separate(remainder, divisor);
    if (parts != null) {
      return quotient(parts.outer().plus(parts.offset()), divisor / parts.factor());
    }
    Integer atom = remainder.withoutConstant().asAtom();
    if (atom != null
        && work.atoms.atom(atom) instanceof Binary inner
        && inner.b() instanceof IntImm by) {
      if (inner.op() == BinaryOp.FLOOR_DIV && by.value() > 0) {
        Polynomial dividend =
            work.parse(inner.a()).plus(Math.multiplyExact(remainder.constant(), by.value()));
        return quotient(dividend, Math.multiplyExact(by.value(), divisor));
      }
      boolean fits = by.value() > 0 && by.value() % divisor == 0 && remainder.constant() == 0;
      if (inner.op() == BinaryOp.FLOOR_MOD && fits) {
        return remainder(quotient(work.parse(inner.a()), divisor), by.value() / divisor);
      }
    }
    return atom(BinaryOp.FLOOR_DIV, remainder, Polynomial.of(remainder.dtype(), divisor));
  }

  /** {@code a % divisor}; the divisor is not 0. */
  Polynomial remainder(Polynomial a, long divisor) {
    if (divisor < 0) {
      return remainder(a.negated(), Math.negateExact(divisor)).negated();
    }
    Polynomial remainder = a.minus(multiplesOf(divisor, a));
    Long only = onlyQuotient(remainder, divisor);
    if (only != null) {
      return remainder.plus(Math.negateExact(Math.multiplyExact(only, divisor)));
    }
    Polynomial known = knownMultiplesOf(divisor, remainder);
    if (!known.isZero()) {
      return remainder(remainder.minus(known), divisor);
    }
    Parts parts = separate(remainder, divisor);
    if (parts != null) {
      long factor = parts.factor();
      return remainder(parts.outer().plus(parts.offset()), divisor / factor)
          .times(factor)
          .plus(parts.inner())
          .plus(Math.negateExact(Math.multiplyExact(parts.offset(), factor)));
    }
    Polynomial unwrapped = withoutInnerRemainders(remainder, divisor);
    if (!unwrapped.equals(remainder)) {
      return remainder(unwrapped, divisor);
    }
    return atom(BinaryOp.FLOOR_MOD, remainder, Polynomial.of(remainder.dtype(), divisor));
  }

  /** Whether each term of a polynomial, taken by itself, is a multiple of a number. */
  boolean isKnownMultiple(Polynomial polynomial, long divisor) {
    return knownMultiplesOf(divisor, polynomial).equals(polynomial);
  }

  /** What the division takes out of the terms: all of some, a part of others. */
  private static Polynomial multiplesOf(long divisor, Polynomial a) {
    Polynomial multiples = Polynomial.of(a.dtype(), 0);
    for (Term term : a.terms()) {
      long coefficient = term.coefficient();
      // A constant leaves a remainder that is not negative, another term one that has its sign.
      long remainder =
          term.monomial().isOne() ? Math.floorMod(coefficient, divisor) : coefficient % divisor;
      long whole = Math.subtractExact(coefficient, remainder);
      multiples = multiples.plus(Polynomial.of(a.dtype(), term.monomial(), whole));
    }
    return multiples;
  }

  /** The terms that are multiples by what is known about their atoms. */
  private Polynomial knownMultiplesOf(long divisor, Polynomial a) {
    Polynomial known = Polynomial.of(a.dtype(), 0);
    for (Term term : a.terms()) {
      long open = divisor / Polynomial.gcd(divisor, term.coefficient());
      for (int atom : term.monomial().atoms()) {
        open /= Polynomial.gcd(open, work.constraints().divisors.getOrDefault(atom, 1L));
      }
      if (open == 1) {
        known = known.plus(Polynomial.of(a.dtype(), term.monomial(), term.coefficient()));
      }
    }
    return known;
  }

  /** The quotient when bounds leave only one. */
  private @Nullable Long onlyQuotient(Polynomial remainder, long divisor) {
    Interval range = work.bounds.of(remainder);
    if (!range.hasMin() || !range.hasMax()) {
      return null;
    }
    long low = Math.floorDiv(range.min(), divisor);
    return low == Math.floorDiv(range.max(), divisor) ? low : null;
  }

  /**
   * A polynomial {@code outer * factor + inner}, where the inner one lies in {@code [offset *
   * factor, (offset + 1) * factor)} and the factor divides the divisor.
   */
  private record Parts(Polynomial outer, Polynomial inner, long factor, long offset) {}

  private @Nullable Parts separate(Polynomial remainder, long divisor) {
    for (Term term : remainder.terms()) {
      long factor = term.monomial().isOne() ? 1 : Polynomial.gcd(term.coefficient(), divisor);
      if (factor == 1) {
        continue;
      }
      Polynomial multiples = Polynomial.of(remainder.dtype(), 0);
      for (Term other : remainder.terms()) {
        if (other.coefficient() % factor == 0 && !other.monomial().isOne()) {
          multiples =
              multiples.plus(
                  Polynomial.of(remainder.dtype(), other.monomial(), other.coefficient()));
        }
      }
      Polynomial inner = remainder.minus(multiples);
      Long offset = onlyQuotient(inner, factor);
      if (offset != null) {
        return new Parts(multiples.dividedExactlyBy(factor), inner, factor, offset);
      }
    }
    return null;
  }

  /** {@code x} instead of {@code x % m} where that leaves the same remainder. */
  private Polynomial withoutInnerRemainders(Polynomial polynomial, long divisor) {
    for (Term term : polynomial.terms()) {
      long coefficient = term.coefficient();
      for (int atom : term.monomial().atoms()) {
        if (work.atoms.atom(atom) instanceof Binary inner
            && inner.op() == BinaryOp.FLOOR_MOD
            && inner.b() instanceof IntImm by
            && Math.multiplyExact(coefficient, by.value()) % divisor == 0) {
          Monomial others = term.monomial().dividedBy(Monomial.of(atom));
          if (others != null) {
            return polynomial
                .minus(Polynomial.of(polynomial.dtype(), term.monomial(), coefficient))
                .plus(work.parse(inner.a()).times(others, coefficient));
          }
        }
      }
    }
    return polynomial;
  }

  private Polynomial divide(Polynomial a, Polynomial b, boolean wantsQuotient) {
    Polynomial quotient = Polynomial.of(a.dtype(), 0);
    Polynomial remainder = a;
    Polynomial factor = wholeFactor(remainder, b);
    while (!factor.isZero()) {
      quotient = quotient.plus(factor);
      remainder = remainder.minus(factor.times(b));
      factor = wholeFactor(remainder, b);
    }
    if (remainder.isZero()
        || (work.prover.isNonNegative(remainder)
            && work.prover.isNonNegative(b.minus(remainder).plus(-1)))) {
      return wantsQuotient ? quotient : remainder;
    }
    Monomial common = common(remainder, b);
    long content =
        Polynomial.gcd(
            Polynomial.gcd(remainder.contentWithoutConstant(), remainder.constant()),
            Polynomial.gcd(b.contentWithoutConstant(), b.constant()));
    if (!common.isOne() || content != 1) {
      Polynomial dividend = dividedBy(remainder, common).dividedExactlyBy(content);
      Polynomial divisor = dividedBy(b, common).dividedExactlyBy(content);
      return wantsQuotient
          ? quotient.plus(quotient(dividend, divisor))
          : remainder(dividend, divisor).times(common, content);
    }
    return wantsQuotient
        ? quotient.plus(atom(BinaryOp.FLOOR_DIV, remainder, b))
        : atom(BinaryOp.FLOOR_MOD, remainder, b);
  }

  /** What times the divisor takes terms away from the dividend and adds fewer; 0 if nothing. */
  private static Polynomial wholeFactor(Polynomial dividend, Polynomial divisor) {
    Term lead = divisor.terms().getFirst();
    for (Term term : dividend.terms()) {
      Monomial monomial = term.monomial().dividedBy(lead.monomial());
      if (monomial != null && term.coefficient() % lead.coefficient() == 0) {
        long coefficient = Math.divideExact(term.coefficient(), lead.coefficient());
        Polynomial factor = Polynomial.of(dividend.dtype(), monomial, coefficient);
        if (dividend.minus(factor.times(divisor)).terms().size() < dividend.terms().size()) {
          return factor;
        }
      }
    }
    return Polynomial.of(dividend.dtype(), 0);
  }

  private static Monomial common(Polynomial a, Polynomial b) {
    Monomial common = b.terms().getFirst().monomial();
    for (Term term : b.terms()) {
      common = common.common(term.monomial());
    }
    for (Term term : a.terms()) {
      common = common.common(term.monomial());
    }
    return common;
  }

  private static Polynomial dividedBy(Polynomial a, Monomial divisor) {
    Polynomial quotient = Polynomial.of(a.dtype(), 0);
    for (Term term : a.terms()) {
      Monomial monomial = term.monomial().dividedBy(divisor);
      if (monomial == null) {
        throw new IllegalArgumentException(divisor + " does not divide " + a);
      }
      quotient = quotient.plus(Polynomial.of(a.dtype(), monomial, term.coefficient()));
    }
    return quotient;
  }

  private Polynomial atom(BinaryOp op, Polynomial a, Polynomial b) {
    return work.atom(new Binary(op, work.expression(a), work.expression(b)));
  }
}
