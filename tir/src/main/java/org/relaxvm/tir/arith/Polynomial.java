package org.relaxvm.tir.arith;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntegerMath;

/**
 * A sum of monomials with coefficients. Every operation throws an {@link ArithmeticException} when
 * a coefficient does not fit the dtype, or when there are too many terms to go on with.
 *
 * @param terms no coefficient is 0
 */
record Polynomial(DType dtype, NavigableMap<Monomial, Long> terms) {
  private static final int MOST_TERMS = 64;

  Polynomial {
    if (terms.size() > MOST_TERMS) {
      throw new ArithmeticException("too many terms");
    }
    for (long coefficient : terms.values()) {
      if (IntegerMath.wrap(dtype, coefficient) != coefficient) {
        throw new ArithmeticException("a coefficient does not fit");
      }
    }
    terms = Collections.unmodifiableNavigableMap(terms);
  }

  static Polynomial of(DType dtype, long value) {
    return of(dtype, Monomial.ONE, value);
  }

  static Polynomial of(DType dtype, Monomial monomial, long coefficient) {
    TreeMap<Monomial, Long> terms = new TreeMap<>();
    if (coefficient != 0) {
      terms.put(monomial, coefficient);
    }
    return new Polynomial(dtype, terms);
  }

  boolean isZero() {
    return terms.isEmpty();
  }

  boolean isConstant() {
    return terms.isEmpty() || terms.firstKey().isOne();
  }

  /** The coefficient, 0 where there is no such term. */
  long coefficient(Monomial monomial) {
    return terms.getOrDefault(monomial, 0L);
  }

  /** The term without atoms. */
  long constant() {
    return coefficient(Monomial.ONE);
  }

  /** The number of the atom that this is, or null when it is more than one atom. */
  @Nullable Integer asAtom() {
    return terms.size() == 1 && terms.firstKey().isAtom() && terms.firstEntry().getValue() == 1
        ? terms.firstKey().atoms().getFirst()
        : null;
  }

  Polynomial withoutConstant() {
    TreeMap<Monomial, Long> rest = new TreeMap<>(terms);
    rest.remove(Monomial.ONE);
    return new Polynomial(dtype, rest);
  }

  /** The greatest common divisor of the coefficients of all terms but the constant, 0 if none. */
  long contentWithoutConstant() {
    long content = 0;
    for (var term : terms.entrySet()) {
      content = term.getKey().isOne() ? content : gcd(content, term.getValue());
    }
    return content;
  }

  Polynomial plus(Polynomial other) {
    return plus(other, 1);
  }

  Polynomial minus(Polynomial other) {
    return plus(other, -1);
  }

  Polynomial plus(long value) {
    return plus(of(dtype, value));
  }

  Polynomial negated() {
    return times(-1);
  }

  Polynomial times(long factor) {
    return times(Monomial.ONE, factor);
  }

  Polynomial times(Monomial monomial, long factor) {
    TreeMap<Monomial, Long> product = new TreeMap<>();
    if (factor != 0) {
      terms.forEach((m, c) -> product.put(m.times(monomial), Math.multiplyExact(c, factor)));
    }
    return new Polynomial(dtype, product);
  }

  Polynomial times(Polynomial other) {
    Polynomial product = of(dtype, 0);
    for (var term : other.terms.entrySet()) {
      product = product.plus(times(term.getKey(), term.getValue()));
    }
    return product;
  }

  /** The quotient by a number that divides every coefficient. */
  Polynomial dividedExactlyBy(long divisor) {
    TreeMap<Monomial, Long> quotient = new TreeMap<>();
    terms.forEach((m, c) -> quotient.put(m, Math.divideExact(c, divisor)));
    return new Polynomial(dtype, quotient);
  }

  private Polynomial plus(Polynomial other, long factor) {
    TreeMap<Monomial, Long> sum = new TreeMap<>(terms);
    for (var term : other.terms.entrySet()) {
      long before = coefficient(term.getKey());
      long after = Math.addExact(before, Math.multiplyExact(term.getValue(), factor));
      if (after == 0) {
        sum.remove(term.getKey());
      } else {
        sum.put(term.getKey(), after);
      }
    }
    return new Polynomial(dtype, sum);
  }

  /** Never negative; {@link Long#MIN_VALUE} has no absolute value, and is refused. */
  static long gcd(long a, long b) {
    long x = Math.absExact(a);
    long y = Math.absExact(b);
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }
}
