package org.relaxvm.tir.arith;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.IntegerMath;

/**
 * A sum of monomials with coefficients. Every operation throws an {@link ArithmeticException} when
 * a coefficient does not fit the dtype, or when there are too many terms to go on with.
 *
 * @param terms in the order of their monomials, of which each is there once
 */
record Polynomial(DType dtype, List<Term> terms) {
  private static final int MOST_TERMS = 64;
  private static final Comparator<Term> ORDER = Comparator.comparing(Term::monomial);

  Polynomial {
    if (terms.size() > MOST_TERMS) {
      throw new ArithmeticException("too many terms");
    }
    if (dtype.bits() < Long.SIZE) {
      for (Term term : terms) {
        if (IntegerMath.wrap(dtype, term.coefficient()) != term.coefficient()) {
          throw new ArithmeticException("a coefficient does not fit");
        }
      }
    }
    terms = List.copyOf(terms);
  }

  static Polynomial of(DType dtype, long value) {
    return of(dtype, Monomial.ONE, value);
  }

  static Polynomial of(DType dtype, Monomial monomial, long coefficient) {
    return new Polynomial(
        dtype, coefficient == 0 ? List.of() : List.of(new Term(monomial, coefficient)));
  }

  static Polynomial of(DType dtype, Term term) {
    return new Polynomial(dtype, List.of(term));
  }

  boolean isZero() {
    return terms.isEmpty();
  }

  boolean isConstant() {
    return terms.isEmpty() || terms.getFirst().monomial().isOne();
  }

  /** The coefficient, 0 where there is no such term. */
  long coefficient(Monomial monomial) {
    for (Term term : terms) {
      if (term.monomial().equals(monomial)) {
        return term.coefficient();
      }
    }
    return 0;
  }

  /** The term without atoms. */
  long constant() {
    return hasConstant() ? terms.getLast().coefficient() : 0;
  }

  private boolean hasConstant() {
    return !terms.isEmpty() && terms.getLast().monomial().isOne();
  }

  /** The number of the atom that this is, or null when it is more than one atom. */
  @Nullable Integer asAtom() {
    return terms.size() == 1
            && terms.getFirst().monomial().isAtom()
            && terms.getFirst().coefficient() == 1
        ? terms.getFirst().monomial().first()
        : null;
  }

  /** The numbers of all atoms, each once, in the order of their first appearance. */
  int[] atoms() {
    int most = 0;
    for (Term term : terms) {
      most += term.monomial().atoms().length;
    }
    int[] atoms = new int[most];
    int count = 0;
    for (Term term : terms) {
      for (int atom : term.monomial().atoms()) {
        int index = 0;
        while (index < count && atoms[index] != atom) {
          index++;
        }
        atoms[index] = atom;
        count = Math.max(count, index + 1);
      }
    }
    return Arrays.copyOf(atoms, count);
  }

  boolean contains(int atom) {
    for (Term term : terms) {
      if (term.monomial().contains(atom)) {
        return true;
      }
    }
    return false;
  }

  Polynomial withoutConstant() {
    return hasConstant() ? new Polynomial(dtype, terms.subList(0, terms.size() - 1)) : this;
  }

  /** The greatest common divisor of the coefficients of all terms but the constant, 0 if none. */
  long contentWithoutConstant() {
    long content = 0;
    for (Term term : terms) {
      content = term.monomial().isOne() ? content : gcd(content, term.coefficient());
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
    if (factor == 0 || (factor == 1 && monomial.isOne())) {
      return factor == 0 ? of(dtype, 0) : this;
    }
    List<Term> product = new ArrayList<>(terms.size());
    for (Term term : terms) {
      long coefficient = Math.multiplyExact(term.coefficient(), factor);
      product.add(new Term(term.monomial().times(monomial), coefficient));
    }
    if (!monomial.isOne()) {
      product.sort(ORDER);
    }
    return new Polynomial(dtype, product);
  }

  Polynomial times(Polynomial other) {
    Polynomial product = of(dtype, 0);
    for (Term term : other.terms) {
      product = product.plus(times(term.monomial(), term.coefficient()));
    }
    return product;
  }

  /** The quotient by a number that divides every coefficient. */
  Polynomial dividedExactlyBy(long divisor) {
    if (divisor == 1) {
      return this;
    }
    List<Term> quotient = new ArrayList<>(terms.size());
    for (Term term : terms) {
      quotient.add(new Term(term.monomial(), Math.divideExact(term.coefficient(), divisor)));
    }
    return new Polynomial(dtype, quotient);
  }

  private Polynomial plus(Polynomial other, long factor) {
    if (other.isZero()) {
      return this;
    }
    List<Term> sum = new ArrayList<>(terms.size() + other.terms.size());
    int next = 0;
    for (Term term : other.terms) {
      int order = -1;
      while (next < terms.size()
          && (order = terms.get(next).monomial().compareTo(term.monomial())) < 0) {
        sum.add(terms.get(next++));
      }
      long before = 0;
      if (next < terms.size() && order == 0) {
        before = terms.get(next++).coefficient();
      }
      long after = Math.addExact(before, Math.multiplyExact(term.coefficient(), factor));
      if (after != 0) {
        sum.add(new Term(term.monomial(), after));
      }
    }
    sum.addAll(terms.subList(next, terms.size()));
    return new Polynomial(dtype, sum);
  }

  /** Never negative; {@link Long#MIN_VALUE} has no absolute value, and is refused. */
  static long gcd(long a, long b) {
    long x = Math.absExact(a);
    long y = Math.absExact(b);
    while (y != 0) {
      long remainder = x % y;
      x = y;
      y = remainder;
    }
    return x;
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Polynomial that
            && dtype.equals(that.dtype)
            && terms.equals(that.terms));
  }

  @Override
  public int hashCode() {
    return 31 * dtype.hashCode() + terms.hashCode();
  }
}
