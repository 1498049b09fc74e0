package org.relaxvm.tir.expr;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.relaxvm.api.DType;

/**
 * How a reduction combines values, one after the other.
 *
 * @param identity the initial values, by the dtypes of the results
 * @param combine combines the accumulated values with the next ones
 */
public record Reducer(
    Function<List<DType>, List<PrimExpr>> identity, BinaryOperator<List<PrimExpr>> combine) {
  /** The sum. */
  public static final Reducer SUM = single(dtype -> Exprs.constant(dtype, 0), BinaryOp.ADD);

  /** The product. */
  public static final Reducer PROD = single(dtype -> Exprs.constant(dtype, 1), BinaryOp.MUL);

  /** The largest value; NaN when there is one. */
  public static final Reducer MAX = single(Reducer::lowest, BinaryOp.MAX);

  /** The smallest value; NaN when there is one. */
  public static final Reducer MIN = single(Reducer::highest, BinaryOp.MIN);

  /** Whether all hold. */
  public static final Reducer ALL = single(dtype -> IntImm.of(true), BinaryOp.AND);

  /** Whether any holds. */
  public static final Reducer ANY = single(dtype -> IntImm.of(false), BinaryOp.OR);

  private static Reducer single(Function<DType, PrimExpr> identity, BinaryOp op) {
    return new Reducer(
        dtypes -> List.of(identity.apply(dtypes.getFirst())),
        (a, b) -> List.of(Exprs.binary(op, a.getFirst(), b.getFirst())));
  }

  /** The smallest value of a dtype. */
  public static PrimExpr lowest(DType dtype) {
    if (dtype.isFloat()) {
      return new FloatImm(dtype, Double.NEGATIVE_INFINITY);
    }
    return new IntImm(dtype, DTypes.isUnsigned(dtype) ? 0 : -1L << (dtype.bits() - 1));
  }

  /** The largest value of a dtype. */
  public static PrimExpr highest(DType dtype) {
    if (dtype.isFloat()) {
      return new FloatImm(dtype, Double.POSITIVE_INFINITY);
    }
    if (dtype.equals(DType.BOOL)) {
      return IntImm.of(true);
    }
    return new IntImm(
        dtype,
        DTypes.isUnsigned(dtype)
            ? -1L >>> (Long.SIZE - dtype.bits())
            : -1L >>> (Long.SIZE - dtype.bits() + 1));
  }
}
