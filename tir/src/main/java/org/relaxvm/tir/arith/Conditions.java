package org.relaxvm.tir.arith;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * Simplifies booleans. Comparisons of index arithmetic become {@code <}, {@code <=}, {@code ==} or
 * {@code !=} with what is added on one side each.
 */
final class Conditions {
  private final Workspace work;

  Conditions(Workspace work) {
    this.work = work;
  }

  PrimExpr simplify(PrimExpr condition) {
    PrimExpr simple =
        switch (condition) {
          case Not not -> not(work.simplify(not.a()));
          case Binary binary when binary.op() == BinaryOp.AND -> and(binary);
          case Binary binary when binary.op() == BinaryOp.OR -> or(binary);
          case Binary binary when Workspace.isIndex(binary.a().dtype()) -> compare(binary);
          case Binary binary -> compareOthers(binary);
          default -> work.simplifyOperands(condition);
        };
    if (work.constraints().conditions.contains(simple)) {
      return IntImm.of(true);
    }
    return work.constraints().conditions.contains(not(simple)) ? IntImm.of(false) : simple;
  }

  /**
   * Whether a comparison by order of index arithmetic can be shown to hold, without a try to show
   * the opposite; null for other conditions, and where only {@link #simplify} can tell.
   */
  @Nullable Boolean holdsByOrder(PrimExpr condition) {
    if (!(condition instanceof Binary binary)
        || !Workspace.isIndex(binary.a().dtype())
        || !work.constraints().conditions.isEmpty()) {
      return null;
    }
    try {
      return switch (binary.op()) {
        case LT -> isPositive(binary.a(), binary.b());
        case GT -> isPositive(binary.b(), binary.a());
        case LE -> work.prover.isNonNegative(margin(binary.a(), binary.b()));
        case GE -> work.prover.isNonNegative(margin(binary.b(), binary.a()));
        default -> null;
      };
    } catch (ArithmeticException tooLarge) {
      return null;
    }
  }

  private boolean isPositive(PrimExpr a, PrimExpr b) {
    return work.prover.isNonNegative(margin(a, b).plus(-1));
  }

  private Polynomial margin(PrimExpr a, PrimExpr b) {
    return work.polynomial(b).minus(work.polynomial(a));
  }

  private PrimExpr and(Binary binary) {
    PrimExpr a = work.simplify(binary.a());
    return Exprs.and(a, work.simplifyUnder(a, binary.b(), false));
  }

  private PrimExpr or(Binary binary) {
    PrimExpr a = work.simplify(binary.a());
    return Exprs.or(a, work.simplifyUnder(not(a), binary.b(), false));
  }

  /** The opposite, of comparisons without a {@code not}. */
  static PrimExpr not(PrimExpr condition) {
    if (condition instanceof Not not) {
      return not.a();
    }
    if (condition instanceof Binary binary && binary.op().kind() == BinaryOp.Kind.COMPARISON) {
      boolean ordered = DTypes.isIntegral(binary.a().dtype());
      return switch (binary.op()) {
        case EQ -> new Binary(BinaryOp.NE, binary.a(), binary.b());
        case NE -> new Binary(BinaryOp.EQ, binary.a(), binary.b());
        case LT -> ordered ? new Binary(BinaryOp.LE, binary.b(), binary.a()) : new Not(binary);
        case LE -> ordered ? new Binary(BinaryOp.LT, binary.b(), binary.a()) : new Not(binary);
        case GT -> ordered ? new Binary(BinaryOp.LE, binary.a(), binary.b()) : new Not(binary);
        case GE -> ordered ? new Binary(BinaryOp.LT, binary.a(), binary.b()) : new Not(binary);
        default -> new Not(binary);
      };
    }
    return Exprs.not(condition);
  }

  private PrimExpr compare(Binary binary) {
    Polynomial a = work.polynomial(binary.a());
    Polynomial b = work.polynomial(binary.b());
    try {
      return switch (binary.op()) {
        case LT -> isLess(a, b);
        case GT -> isLess(b, a);
        case LE -> isLessOrEqual(a, b);
        case GE -> isLessOrEqual(b, a);
        case EQ -> areEqual(a, b);
        default -> not(areEqual(a, b));
      };
    } catch (ArithmeticException tooLarge) {
      return new Binary(binary.op(), work.expression(a), work.expression(b));
    }
  }

  private PrimExpr isLess(Polynomial a, Polynomial b) {
    Polynomial margin = b.minus(a).plus(-1);
    PrimExpr known = isNonNegative(margin);
    return known != null ? known : sides(BinaryOp.LT, Prover.tighten(margin).plus(1));
  }

  private PrimExpr isLessOrEqual(Polynomial a, Polynomial b) {
    Polynomial margin = b.minus(a);
    PrimExpr known = isNonNegative(margin);
    return known != null ? known : sides(BinaryOp.LE, Prover.tighten(margin));
  }

  private @Nullable PrimExpr isNonNegative(Polynomial margin) {
    if (work.prover.isNonNegative(margin)) {
      return IntImm.of(true);
    }
    return work.prover.isNonNegative(margin.negated().plus(-1)) ? IntImm.of(false) : null;
  }

  private PrimExpr areEqual(Polynomial a, Polynomial b) {
    Polynomial margin = a.minus(b);
    if (margin.isConstant()) {
      return IntImm.of(margin.isZero());
    }
    long content = margin.contentWithoutConstant();
    if (margin.constant() % content != 0) {
      return IntImm.of(false);
    }
    margin = margin.dividedExactlyBy(content);
    boolean atLeast = work.prover.isNonNegative(margin);
    boolean atMost = work.prover.isNonNegative(margin.negated());
    if (atLeast && atMost) {
      return IntImm.of(true);
    }
    if ((atLeast && work.prover.isNonNegative(margin.plus(-1)))
        || (atMost && work.prover.isNonNegative(margin.negated().plus(-1)))) {
      return IntImm.of(false);
    }
    // Two conditions that are equal but for the sign become one.
    return sides(
        BinaryOp.EQ, margin.terms().getFirst().coefficient() < 0 ? margin : margin.negated());
  }

  /** {@code 0 op margin}, with each term on the side where it is not subtracted. */
  private PrimExpr sides(BinaryOp op, Polynomial margin) {
    Polynomial left = Polynomial.of(margin.dtype(), 0);
    Polynomial right = left;
    for (Term entry : margin.terms()) {
      Polynomial term = Polynomial.of(margin.dtype(), entry.monomial(), entry.coefficient());
      if (entry.coefficient() < 0) {
        left = left.minus(term);
      } else {
        right = right.plus(term);
      }
    }
    return new Binary(op, work.expression(left), work.expression(right));
  }

  private PrimExpr compareOthers(Binary binary) {
    PrimExpr simple = work.simplifyOperands(binary);
    if (!(simple instanceof Binary left) || !DTypes.isIntegral(left.a().dtype())) {
      return simple;
    }
    if (left.a().equals(left.b())) {
      boolean holds =
          left.op() == BinaryOp.EQ || left.op() == BinaryOp.LE || left.op() == BinaryOp.GE;
      return left.op().kind() == BinaryOp.Kind.COMPARISON ? IntImm.of(holds) : left;
    }
    // Bounds have no numbers above those of int64.
    if (left.a().dtype().equals(DType.UINT64)) {
      return left;
    }
    Interval a = work.bounds.of(left.a());
    Interval b = work.bounds.of(left.b());
    Boolean known =
        switch (left.op()) {
          case LT -> known(a.max() < b.min(), a.min() >= b.max());
          case LE -> known(a.max() <= b.min(), a.min() > b.max());
          case GT -> known(a.min() > b.max(), a.max() <= b.min());
          case GE -> known(a.min() >= b.max(), a.max() < b.min());
          case EQ -> known(false, areApart(a, b));
          case NE -> known(areApart(a, b), false);
          default -> null;
        };
    return known == null ? left : IntImm.of(known.booleanValue());
  }

  private static boolean areApart(Interval a, Interval b) {
    return a.max() < b.min() || a.min() > b.max();
  }

  private static @Nullable Boolean known(boolean holds, boolean fails) {
    if (holds) {
      return true;
    }
    return fails ? false : null;
  }
}
