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
  Polynomial rest(Polynomial a, Polynomial b) {
    return b.isConstant() ? rest(a, b.constant()) : divide(a, b, false);
  }

  /** {@code a // divisor}; the divisor is not 0. */
  Polynomial quotient(Polynomial a, long divisor) {
    if (divisor < 0) {
      return quotient(a.negated(), Math.negateExact(divisor));
    }
    Polynomial pulled = multiplesOf(divisor, a);
    Polynomial rest = a.minus(pulled);
    Polynomial whole = pulled.dividedExactlyBy(divisor);
    return whole.plus(quotientOfRest(rest, divisor));
  }

  private Polynomial quotientOfRest(Polynomial rest, long divisor) {
    Long only = onlyQuotient(rest, divisor);
    if (only != null) {
      return Polynomial.of(rest.dtype(), only);
    }
    Polynomial known = knownMultiplesOf(divisor, rest);
    if (!known.isZero() && !known.equals(rest)) {
      return quotientOfRest(known, divisor).plus(quotient(rest.minus(known), divisor));
    }
    Parts parts = separate(rest, divisor);
    if (parts != null) {
      return quotient(parts.outer().plus(parts.offset()), divisor / parts.factor());
    }
    Integer atom = rest.withoutConstant().asAtom();
    if (atom != null
        && work.atoms.atom(atom) instanceof Binary inner
        && inner.b() instanceof IntImm by) {
      if (inner.op() == BinaryOp.FLOOR_DIV && by.value() > 0) {
        Polynomial dividend =
            work.parse(inner.a()).plus(Math.multiplyExact(rest.constant(), by.value()));
        return quotient(dividend, Math.multiplyExact(by.value(), divisor));
      }
      boolean fits = by.value() > 0 && by.value() % divisor == 0 && rest.constant() == 0;
      if (inner.op() == BinaryOp.FLOOR_MOD && fits) {
        return rest(quotient(work.parse(inner.a()), divisor), by.value() / divisor);
      }
    }
    return atom(BinaryOp.FLOOR_DIV, rest, Polynomial.of(rest.dtype(), divisor));
  }

  /** {@code a % divisor}; the divisor is not 0. */
  Polynomial rest(Polynomial a, long divisor) {
    if (divisor < 0) {
      return rest(a.negated(), Math.negateExact(divisor)).negated();
    }
    Polynomial rest = a.minus(multiplesOf(divisor, a));
    Long only = onlyQuotient(rest, divisor);
    if (only != null) {
      return rest.plus(Math.negateExact(Math.multiplyExact(only, divisor)));
    }
    Polynomial known = knownMultiplesOf(divisor, rest);
    if (!known.isZero()) {
      return rest(rest.minus(known), divisor);
    }
    Parts parts = separate(rest, divisor);
    if (parts != null) {
      long factor = parts.factor();
      return rest(parts.outer().plus(parts.offset()), divisor / factor)
          .times(factor)
          .plus(parts.inner())
          .plus(Math.negateExact(Math.multiplyExact(parts.offset(), factor)));
    }
    Polynomial unwrapped = withoutInnerRests(rest, divisor);
    if (!unwrapped.equals(rest)) {
      return rest(unwrapped, divisor);
    }
    return atom(BinaryOp.FLOOR_MOD, rest, Polynomial.of(rest.dtype(), divisor));
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
      // A constant leaves a rest that is not negative, another term one that has its sign.
      long rest =
          term.monomial().isOne() ? Math.floorMod(coefficient, divisor) : coefficient % divisor;
      long whole = Math.subtractExact(coefficient, rest);
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
  private @Nullable Long onlyQuotient(Polynomial rest, long divisor) {
    Interval range = work.bounds.of(rest);
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

  private @Nullable Parts separate(Polynomial rest, long divisor) {
    for (Term term : rest.terms()) {
      long factor = term.monomial().isOne() ? 1 : Polynomial.gcd(term.coefficient(), divisor);
      if (factor == 1) {
        continue;
      }
      Polynomial multiples = Polynomial.of(rest.dtype(), 0);
      for (Term other : rest.terms()) {
        if (other.coefficient() % factor == 0 && !other.monomial().isOne()) {
          multiples =
              multiples.plus(Polynomial.of(rest.dtype(), other.monomial(), other.coefficient()));
        }
      }
      Polynomial inner = rest.minus(multiples);
      Long offset = onlyQuotient(inner, factor);
      if (offset != null) {
        return new Parts(multiples.dividedExactlyBy(factor), inner, factor, offset);
      }
    }
    return null;
  }

  /** {@code x} instead of {@code x % m} where that leaves the same remainder. */
  private Polynomial withoutInnerRests(Polynomial polynomial, long divisor) {
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
    Polynomial rest = a;
    Polynomial factor = wholeFactor(rest, b);
    while (!factor.isZero()) {
      quotient = quotient.plus(factor);
      rest = rest.minus(factor.times(b));
      factor = wholeFactor(rest, b);
    }
    if (rest.isZero()
        || (work.prover.isNonNegative(rest) && work.prover.isNonNegative(b.minus(rest).plus(-1)))) {
      return wantsQuotient ? quotient : rest;
    }
    Monomial common = common(rest, b);
    long content =
        Polynomial.gcd(
            Polynomial.gcd(rest.contentWithoutConstant(), rest.constant()),
            Polynomial.gcd(b.contentWithoutConstant(), b.constant()));
    if (!common.isOne() || content != 1) {
      Polynomial dividend = dividedBy(rest, common).dividedExactlyBy(content);
      Polynomial divisor = dividedBy(b, common).dividedExactlyBy(content);
      return wantsQuotient
          ? quotient.plus(quotient(dividend, divisor))
          : rest(dividend, divisor).times(common, content);
    }
    return wantsQuotient
        ? quotient.plus(atom(BinaryOp.FLOOR_DIV, rest, b))
        : atom(BinaryOp.FLOOR_MOD, rest, b);
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
