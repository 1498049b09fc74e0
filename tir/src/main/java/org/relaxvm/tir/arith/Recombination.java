package org.relaxvm.tir.arith;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.PrimExpr;

/** Puts quotients and rests of one dividend together again. Source: Relax IR, section 2.3. */
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
    for (Map.Entry<Monomial, Long> term : sum.terms().entrySet()) {
      for (int atom : term.getKey().atoms()) {
        Monomial others = term.getKey().dividedBy(Monomial.of(atom));
        if (others != null && work.atoms.atom(atom) instanceof Binary binary) {
          Polynomial next =
              switch (binary.op()) {
                case FLOOR_MOD -> withRest(sum, term, others, binary);
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

  private @Nullable Polynomial withRest(
      Polynomial sum, Map.Entry<Monomial, Long> term, Monomial others, Binary binary) {
    Polynomial dividend = work.parse(binary.a());
    Polynomial divisor = work.parse(binary.b());
    if (divisor.isZero()) {
      return null;
    }
    long k = term.getValue();
    Polynomial quotient = work.division.quotient(dividend, divisor);
    Polynomial without = sum.minus(Polynomial.of(sum.dtype(), term.getKey(), k));
    // x // d * d + x % d -> x
    Polynomial multiple = quotient.times(divisor).times(others, k);
    if (contains(sum, multiple)) {
      return without.minus(multiple).plus(dividend.times(others, k));
    }
    // x // b % a * b + x % b -> x % (a * b)
    if (divisor.isConstant() && divisor.constant() > 0) {
      for (Map.Entry<Monomial, Long> other : without.terms().entrySet()) {
        Monomial atom = other.getKey().dividedBy(others);
        if (atom != null
            && atom.isAtom()
            && other.getValue() == Math.multiplyExact(k, divisor.constant())
            && work.atoms.atom(atom.atoms().getFirst()) instanceof Binary upper
            && upper.op() == BinaryOp.FLOOR_MOD
            && work.parse(upper.a()).equals(quotient)) {
          Polynomial upperDivisor = work.parse(upper.b());
          if (upperDivisor.isConstant() && upperDivisor.constant() > 0) {
            long product = Math.multiplyExact(divisor.constant(), upperDivisor.constant());
            return without
                .minus(Polynomial.of(sum.dtype(), other.getKey(), other.getValue()))
                .plus(work.division.rest(dividend, product).times(others, k));
          }
        }
      }
    }
    return null;
  }

  private @Nullable Polynomial withQuotient(
      Polynomial sum, Map.Entry<Monomial, Long> term, Monomial others, Binary binary) {
    Polynomial divisor = work.parse(binary.b());
    if (divisor.terms().size() != 1) {
      return null;
    }
    Map.Entry<Monomial, Long> only = divisor.terms().firstEntry();
    Monomial rest = others.dividedBy(only.getKey());
    if (rest == null || term.getValue() % only.getValue() != 0) {
      return null;
    }
    long k = Math.divideExact(term.getValue(), only.getValue());
    PrimExpr dividendExpr = binary.a();
    Polynomial dividend = work.parse(dividendExpr);
    Polynomial without = sum.minus(Polynomial.of(sum.dtype(), term.getKey(), term.getValue()));
    // x // c * c -> x of a multiple of c
    if (divisor.isConstant() && work.division.isKnownMultiple(dividend, divisor.constant())) {
      return without.plus(dividend.times(rest, k));
    }
    // x - x // d * d -> x % d
    Polynomial negative = dividend.times(rest, Math.negateExact(k));
    if (contains(sum, negative)) {
      return without
          .minus(negative)
          .plus(work.division.rest(dividend, divisor).times(rest, Math.negateExact(k)));
    }
    return null;
  }

  /** Whether all terms of a part, of which a constant does not count, are terms of the sum. */
  private static boolean contains(Polynomial sum, Polynomial part) {
    Polynomial wanted = part.withoutConstant();
    for (Map.Entry<Monomial, Long> term : wanted.terms().entrySet()) {
      if (sum.coefficient(term.getKey()) != term.getValue()) {
        return false;
      }
    }
    return !wanted.isZero();
  }
}
