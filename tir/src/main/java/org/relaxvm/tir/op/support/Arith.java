package org.relaxvm.tir.op.support;

import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;

/** Scalar expressions that operators are made of. */
public final class Arith {
  private Arith() {}

  /** A constant of a dtype. Of an integer dtype it must be an integer. */
  public static PrimExpr of(DType dtype, double value) {
    return dtype.equals(DType.BOOL) ? IntImm.of(value != 0) : Exprs.constant(dtype, value);
  }

  /** A constant as the other expression is. */
  public static PrimExpr like(PrimExpr other, double value) {
    return of(other.dtype(), value);
  }

  /** A constant of any dtype from a number, converted as a cast does. */
  public static PrimExpr converted(DType dtype, double value) {
    if (dtype.isFloat() || (value == Math.rint(value) && Math.abs(value) < 1 << 7 && value >= 0)) {
      return of(dtype, value);
    }
    return Exprs.cast(dtype, new FloatImm(DType.FLOAT64, value));
  }

  /** The quotient; of integers towards 0. */
  public static PrimExpr div(PrimExpr a, PrimExpr b) {
    return Exprs.binary(BinaryOp.DIV, a, b);
  }

  /** Whether the first is greater. */
  public static PrimExpr gt(PrimExpr a, PrimExpr b) {
    return Exprs.binary(BinaryOp.GT, a, b);
  }

  /** Whether the first is greater or equal. */
  public static PrimExpr ge(PrimExpr a, PrimExpr b) {
    return Exprs.binary(BinaryOp.GE, a, b);
  }

  /** Whether both differ. */
  public static PrimExpr ne(PrimExpr a, PrimExpr b) {
    return Exprs.binary(BinaryOp.NE, a, b);
  }

  /** The exponential function. */
  public static PrimExpr exp(PrimExpr x) {
    return Exprs.call(Intrinsic.EXP, x);
  }

  /** The natural logarithm. */
  public static PrimExpr log(PrimExpr x) {
    return Exprs.call(Intrinsic.LOG, x);
  }

  /** Whether an expression is NaN; never for integers. */
  public static PrimExpr isNan(PrimExpr x) {
    return x.dtype().isFloat() ? Exprs.call(Intrinsic.ISNAN, x) : IntImm.of(false);
  }

  /** Whether {@code low <= x < high}. */
  public static PrimExpr within(PrimExpr x, PrimExpr low, PrimExpr high) {
    return Exprs.and(Exprs.le(low, x), Exprs.lt(x, high));
  }

  /** The nearest number from {@code low} to {@code high}. */
  public static PrimExpr clamp(PrimExpr x, PrimExpr low, PrimExpr high) {
    return Exprs.min(Exprs.max(x, low), high);
  }

  /** The accumulator dtype of a dtype: float32 for narrower floats. */
  public static DType wide(DType dtype) {
    return dtype.isFloat() && dtype.bits() < 32 ? DType.FLOAT32 : dtype;
  }

  /** The value in the accumulator dtype. */
  public static PrimExpr widened(PrimExpr x) {
    return Exprs.cast(wide(x.dtype()), x);
  }

  /** An integer as an index: int64. */
  public static PrimExpr index(PrimExpr x) {
    return Exprs.cast(DType.INT64, x);
  }

  /** An index that may count from the end, counted from the start. */
  public static PrimExpr fromStart(PrimExpr position, PrimExpr extent) {
    PrimExpr at = index(position);
    if (DTypes.isUnsigned(position.dtype())) {
      return at;
    }
    return Exprs.select(Exprs.lt(at, IntImm.of(0)), Exprs.add(at, extent), at);
  }

  /** The order of numbers in which NaN is the largest. */
  public static PrimExpr less(PrimExpr a, PrimExpr b) {
    PrimExpr less = Exprs.lt(a, b);
    return a.dtype().isFloat() ? Exprs.or(less, Exprs.and(isNan(b), Exprs.not(isNan(a)))) : less;
  }
}
