package org.relaxvm.tir.op;

import java.util.List;
import java.util.function.BinaryOperator;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Operators on pairs of elements of one dtype. Operands are broadcast: the last axes are aligned,
 * and an extent that is the constant 1 counts for any other. Scalars are tensors of rank 0, see
 * {@link CreationOps#scalar}.
 */
public final class BinaryOps {
  private BinaryOps() {}

  /**
   * An operator that needs no care: sum, difference, product, minimum, maximum of numbers, and
   * comparisons, which give bool.
   */
  public static TensorExpr apply(
      KernelBuilder k, String name, BinaryOp op, TensorExpr a, TensorExpr b) {
    switch (op) {
      case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> {
        return guarded(k, name, op, a, b);
      }
      case AND, OR -> Check.booleans(op.text(), a);
      case EQ, NE -> {}
      default -> Check.numbers(op.text(), a);
    }
    return pairs(k, name, op.text(), a, b, (x, y) -> Exprs.binary(op, x, y));
  }

  /** {@code a + b}; integers wrap around. */
  public static TensorExpr add(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.ADD, a, b);
  }

  /** {@code a - b}; integers wrap around. */
  public static TensorExpr subtract(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.SUB, a, b);
  }

  /** {@code a * b}; integers wrap around. */
  public static TensorExpr multiply(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.MUL, a, b);
  }

  /** {@code a / b}; integers round towards 0, and a division by 0 gives 0. */
  public static TensorExpr divide(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.DIV, a, b);
  }

  /** {@code floor(a / b)}; of integers by 0 it is 0. */
  public static TensorExpr floorDivide(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.FLOOR_DIV, a, b);
  }

  /**
   * The remainder of the division towards 0: has the sign of {@code a}. Of integers by 0 it is 0.
   */
  public static TensorExpr mod(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.MOD, a, b);
  }

  /**
   * The remainder of the division rounded down: has the sign of {@code b}. Of integers by 0 it is
   * 0.
   */
  public static TensorExpr floorMod(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.FLOOR_MOD, a, b);
  }

  private static TensorExpr guarded(
      KernelBuilder k, String name, BinaryOp op, TensorExpr a, TensorExpr b) {
    Check.numbers(op.text(), a);
    return pairs(
        k,
        name,
        op.text(),
        a,
        b,
        (x, y) -> {
          if (x.dtype().isFloat()) {
            return Exprs.binary(op, x, y);
          }
          PrimExpr none = Exprs.eq(y, Arith.like(y, 0));
          PrimExpr divisor = Exprs.select(none, Arith.like(y, 1), y);
          return Exprs.select(none, Arith.like(x, 0), Exprs.binary(op, x, divisor));
        });
  }

  /** The larger ones; NaN when either is. */
  public static TensorExpr maximum(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.MAX, a, b);
  }

  /** The smaller ones; NaN when either is. */
  public static TensorExpr minimum(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.MIN, a, b);
  }

  /** {@code a} to the power of {@code b}; of integers a negative exponent gives 0, 1 or -1. */
  public static TensorExpr power(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    Check.numbers("power", a);
    return pairs(k, name, "power", a, b, (x, y) -> Exprs.call(Intrinsic.POW, x, y));
  }

  /** The angle of the point {@code (b, a)}; floats. */
  public static TensorExpr atan2(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    Check.floats("atan2", a);
    return pairs(k, name, "atan2", a, b, (x, y) -> Exprs.call(Intrinsic.ATAN2, x, y));
  }

  /** {@code log(exp(a) + exp(b))} without overflow on the way; floats. */
  public static TensorExpr logAddExp(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    Check.floats("log_add_exp", a);
    return pairs(
        k,
        name,
        "log_add_exp",
        a,
        b,
        (x, y) -> Exprs.cast(x.dtype(), logAddExp(Arith.widened(x), Arith.widened(y))));
  }

  private static PrimExpr logAddExp(PrimExpr x, PrimExpr y) {
    PrimExpr largest = Exprs.max(x, y);
    // Equal infinities have no difference.
    PrimExpr apart =
        Exprs.select(Exprs.eq(x, y), Arith.like(x, 0), Exprs.sub(Exprs.min(x, y), largest));
    return Exprs.add(largest, Arith.log(Exprs.add(Arith.like(x, 1), Arith.exp(apart))));
  }

  /** True where both are; bool. */
  public static TensorExpr logicalAnd(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.AND, a, b);
  }

  /** True where either is; bool. */
  public static TensorExpr logicalOr(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    return apply(k, name, BinaryOp.OR, a, b);
  }

  /** True where one of them is; bool. */
  public static TensorExpr logicalXor(KernelBuilder k, String name, TensorExpr a, TensorExpr b) {
    Check.booleans("logical_xor", a);
    return apply(k, name, BinaryOp.NE, a, b);
  }

  /**
   * A function of bits: {@code bitwise_and}, {@code bitwise_or}, {@code bitwise_xor}, and shifts,
   * which give 0 or the sign for numbers of bits that are negative or not below those of the dtype.
   */
  public static TensorExpr bits(
      KernelBuilder k, String name, Intrinsic function, TensorExpr a, TensorExpr b) {
    Check.that(
        function.rule() == Intrinsic.Rule.INTEGER && function.arity() == 2,
        function.text(),
        "is no function of two integers");
    Check.dtype(function.text(), a, DTypes::isInteger, "an integer dtype");
    return pairs(k, name, function.text(), a, b, (x, y) -> Exprs.call(function, x, y));
  }

  /** {@code a * b + c}, each operation rounded, for tensors of one shape. */
  public static TensorExpr fusedMultiplyAdd(
      KernelBuilder k, String name, TensorExpr a, TensorExpr b, TensorExpr c) {
    Check.numbers("ewise_fma", a);
    Check.sameDType("ewise_fma", a, b);
    Check.sameDType("ewise_fma", a, c);
    for (TensorExpr other : List.of(b, c)) {
      Check.rank("ewise_fma", other, a.shape().size());
      for (int axis = 0; axis < a.shape().size(); axis++) {
        Dims.requireSame(
            "ewise_fma", a.shape().get(axis), other.shape().get(axis), "the extents of an axis");
      }
    }
    return k.compute(name, a.shape(), i -> Exprs.add(Exprs.mul(a.at(i), b.at(i)), c.at(i)));
  }

  private static TensorExpr pairs(
      KernelBuilder k,
      String name,
      String op,
      TensorExpr a,
      TensorExpr b,
      BinaryOperator<PrimExpr> function) {
    Check.sameDType(op, a, b);
    List<PrimExpr> shape = Dims.broadcast(op, List.of(a, b));
    return k.compute(name, shape, i -> function.apply(Dims.at(a, i), Dims.at(b, i)));
  }
}
