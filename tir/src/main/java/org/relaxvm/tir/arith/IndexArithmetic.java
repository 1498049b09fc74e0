package org.relaxvm.tir.arith;

import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;

/** Polynomials of binary operations of index arithmetic. */
final class IndexArithmetic {
  private final Workspace work;
  private final Recombination recombination;

  IndexArithmetic(Workspace work) {
    this.work = work;
    this.recombination = new Recombination(work);
  }

  Polynomial simplify(Binary binary) {
    Polynomial a = work.polynomial(binary.a());
    Polynomial b = work.polynomial(binary.b());
    try {
      return switch (binary.op()) {
        case ADD -> recombination.apply(a.plus(b));
        case SUB -> recombination.apply(a.minus(b));
        case MUL -> recombination.apply(a.times(b));
        case MIN -> extreme(BinaryOp.MIN, a, b);
        case MAX -> extreme(BinaryOp.MAX, a, b);
        default -> b.isZero() ? atom(binary.op(), a, b) : divide(binary.op(), a, b);
      };
    } catch (ArithmeticException tooLarge) {
      return atom(binary.op(), a, b);
    }
  }

  private Polynomial atom(BinaryOp op, Polynomial a, Polynomial b) {
    return work.atom(new Binary(op, work.expression(a), work.expression(b)));
  }

  private Polynomial divide(BinaryOp op, Polynomial a, Polynomial b) {
    boolean quotient = op == BinaryOp.DIV || op == BinaryOp.FLOOR_DIV;
    boolean floor =
        op == BinaryOp.FLOOR_DIV
            || op == BinaryOp.FLOOR_MOD
            || (work.bounds.of(b).min() > 0 && work.prover.isNonNegative(a));
    if (floor) {
      return quotient
          ? recombination.apply(work.division.quotient(a, b))
          : recombination.apply(work.division.remainder(a, b));
    }
    if (work.division.remainder(a, b).isZero()) {
      return quotient ? work.division.quotient(a, b) : Polynomial.of(a.dtype(), 0);
    }
    if (a.isConstant() && b.isConstant()) {
      return Polynomial.of(
          a.dtype(), quotient ? a.constant() / b.constant() : a.constant() % b.constant());
    }
    return atom(op, a, b);
  }

  private Polynomial extreme(BinaryOp op, Polynomial a, Polynomial b) {
    boolean min = op == BinaryOp.MIN;
    if (work.prover.isNonNegative(b.minus(a))) {
      return min ? a : b;
    }
    if (work.prover.isNonNegative(a.minus(b))) {
      return min ? b : a;
    }
    return isBefore(a, b) ? atom(op, a, b) : atom(op, b, a);
  }

  private static boolean isBefore(Polynomial a, Polynomial b) {
    var others = b.terms().iterator();
    for (var term : a.terms()) {
      if (!others.hasNext()) {
        return true;
      }
      var other = others.next();
      int order = term.monomial().compareTo(other.monomial());
      order = order != 0 ? order : Long.compare(term.coefficient(), other.coefficient());
      if (order != 0) {
        return order < 0;
      }
    }
    return !others.hasNext();
  }
}
