package org.relaxvm.tir.op;

import java.util.function.UnaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Functions of single elements; results have the shape of {@code x}. */
public final class UnaryOps {
  private UnaryOps() {}

  /**
   * A function of floats: {@code exp}, {@code sin}, {@code sqrt}, {@code erf} and so on.
   *
   * @param function of one float that gives a float
   */
  public static TensorExpr math(KernelBuilder k, String name, Intrinsic function, TensorExpr x) {
    Check.that(
        function.rule() == Intrinsic.Rule.FLOAT && function.arity() == 1,
        function.text(),
        "is no function of one float that gives a float");
    Check.floats(function.text(), x);
    return each(k, name, x, value -> Exprs.call(function, value));
  }

  /** Absolute values; the smallest signed integer stays itself. */
  public static TensorExpr abs(KernelBuilder k, String name, TensorExpr x) {
    Check.numbers("abs", x);
    return each(k, name, x, value -> Exprs.call(Intrinsic.ABS, value));
  }

  /** {@code -x}; integers wrap around. */
  public static TensorExpr negative(KernelBuilder k, String name, TensorExpr x) {
    Check.numbers("negative", x);
    return each(
        k,
        name,
        x,
        value ->
            x.dtype().isFloat()
                ? Exprs.mul(value, Arith.like(value, -1))
                : Exprs.sub(Arith.like(value, 0), value));
  }

  /** 1, 0 or -1; NaN stays NaN. */
  public static TensorExpr sign(KernelBuilder k, String name, TensorExpr x) {
    Check.numbers("sign", x);
    return each(k, name, x, UnaryOps::signOf);
  }

  private static PrimExpr signOf(PrimExpr x) {
    PrimExpr zero = Arith.like(x, 0);
    PrimExpr below =
        DTypes.isUnsigned(x.dtype())
            ? zero
            : Exprs.select(
                Exprs.lt(x, zero),
                Arith.like(x, -1),
                // What is neither above nor below is 0, or NaN.
                x);
    return Exprs.select(Arith.gt(x, zero), Arith.like(x, 1), below);
  }

  /** {@code x * x}; integers wrap around. */
  public static TensorExpr square(KernelBuilder k, String name, TensorExpr x) {
    Check.numbers("square", x);
    return each(k, name, x, value -> Exprs.mul(value, value));
  }

  /** To the nearest integer, halves to the even one. */
  public static TensorExpr round(KernelBuilder k, String name, TensorExpr x) {
    return rounded(k, name, "round", Intrinsic.NEARBYINT, x);
  }

  /** Rounded up. */
  public static TensorExpr ceil(KernelBuilder k, String name, TensorExpr x) {
    return rounded(k, name, "ceil", Intrinsic.CEIL, x);
  }

  /** Rounded down. */
  public static TensorExpr floor(KernelBuilder k, String name, TensorExpr x) {
    return rounded(k, name, "floor", Intrinsic.FLOOR, x);
  }

  /** Rounded towards 0. */
  public static TensorExpr trunc(KernelBuilder k, String name, TensorExpr x) {
    return rounded(k, name, "trunc", Intrinsic.TRUNC, x);
  }

  private static TensorExpr rounded(
      KernelBuilder k, String name, String op, Intrinsic function, TensorExpr x) {
    Check.numbers(op, x);
    return each(k, name, x, v -> x.dtype().isFloat() ? Exprs.call(function, v) : v);
  }

  /** The bits that {@code x} has not; of booleans the opposite. */
  public static TensorExpr bitwiseNot(KernelBuilder k, String name, TensorExpr x) {
    Check.dtype("bitwise_not", x, DTypes::isIntegral, "an integer dtype or bool");
    return each(
        k,
        name,
        x,
        v -> x.dtype().equals(DType.BOOL) ? Exprs.not(v) : Exprs.call(Intrinsic.BITWISE_NOT, v));
  }

  /** Whether {@code x} is 0, in the dtype of {@code x}. */
  public static TensorExpr logicalNot(KernelBuilder k, String name, TensorExpr x) {
    return each(
        k,
        name,
        x,
        v ->
            x.dtype().equals(DType.BOOL)
                ? Exprs.not(v)
                : Exprs.cast(x.dtype(), Exprs.eq(v, Arith.like(v, 0))));
  }

  /** Whether elements are NaN; bool. */
  public static TensorExpr isNan(KernelBuilder k, String name, TensorExpr x) {
    return test(k, name, Intrinsic.ISNAN, x, false);
  }

  /** Whether elements are infinite; bool. */
  public static TensorExpr isInf(KernelBuilder k, String name, TensorExpr x) {
    return test(k, name, Intrinsic.ISINF, x, false);
  }

  /** Whether elements are neither infinite nor NaN; bool. */
  public static TensorExpr isFinite(KernelBuilder k, String name, TensorExpr x) {
    return test(k, name, Intrinsic.ISFINITE, x, true);
  }

  private static TensorExpr test(
      KernelBuilder k, String name, Intrinsic function, TensorExpr x, boolean ofIntegers) {
    return each(
        k, name, x, v -> x.dtype().isFloat() ? Exprs.call(function, v) : IntImm.of(ofIntegers));
  }

  /**
   * {@code min(max(x, low), high)}; NaN stays NaN.
   *
   * @param low of the dtype of {@code x}, or a constant integer
   * @param high likewise
   */
  public static TensorExpr clip(
      KernelBuilder k, String name, TensorExpr x, PrimExpr low, PrimExpr high) {
    Check.numbers("clip", x);
    return each(k, name, x, v -> Arith.clamp(v, low, high));
  }

  /**
   * Converts: float to integer drops the fraction, values out of range give the nearest integer,
   * NaN gives 0; integers keep their low bits; a number is true when it is not 0.
   */
  public static TensorExpr cast(KernelBuilder k, String name, TensorExpr x, DType dtype) {
    return each(k, name, x, v -> Exprs.cast(dtype, v));
  }

  static TensorExpr each(
      KernelBuilder k, String name, TensorExpr x, UnaryOperator<PrimExpr> function) {
    return k.compute(name, x.shape(), i -> function.apply(x.at(i)));
  }
}
