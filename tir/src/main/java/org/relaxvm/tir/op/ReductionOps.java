package org.relaxvm.tir.op;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Reductions of axes. {@code axes} that are null mean all; reduced axes are dropped, or stay with
 * extent 1 when {@code keepDims}. float16 and bfloat16 accumulate in float32 and are rounded once;
 * integers wrap around.
 */
public final class ReductionOps {
  private ReductionOps() {}

  /** Sums; 0 of nothing. */
  public static TensorExpr sum(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return reduction(k, name, "sum", Reducer.SUM, x, axes, keepDims);
  }

  /** Products; 1 of nothing. */
  public static TensorExpr prod(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return reduction(k, name, "prod", Reducer.PROD, x, axes, keepDims);
  }

  /** The largest elements, NaN when any is; of nothing the lowest value of the dtype. */
  public static TensorExpr max(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return reduction(k, name, "max", Reducer.MAX, x, axes, keepDims);
  }

  /** The smallest elements, NaN when any is; of nothing the highest value of the dtype. */
  public static TensorExpr min(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return reduction(k, name, "min", Reducer.MIN, x, axes, keepDims);
  }

  private static TensorExpr reduction(
      KernelBuilder k,
      String name,
      String op,
      Reducer reducer,
      TensorExpr x,
      @Nullable List<Integer> axes,
      boolean keepDims) {
    Check.numbers(op, x);
    ReducedAxes reduced = ReducedAxes.of(op, x, axes, keepDims);
    if (op.equals("max") || op.equals("min")) {
      // What is chosen among elements needs no wider dtype.
      return k.reduce(
          name, reduced.shape(), reduced.domain(), reducer, (i, r) -> x.at(reduced.index(i, r)));
    }
    return ReducedAxes.accumulate(
        k,
        name,
        x.dtype(),
        reduced.shape(),
        reduced.domain(),
        reducer,
        (i, r) -> x.at(reduced.index(i, r)));
  }

  /** Arithmetic means of floats; NaN of nothing. */
  public static TensorExpr mean(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    Check.floats("mean", x);
    ReducedAxes reduced = ReducedAxes.of("mean", x, axes, keepDims);
    TensorExpr sum = reduced.reduce(k, name + "_sum", Reducer.SUM, (i, at) -> x.at(at));
    return k.compute(
        name,
        reduced.shape(),
        i -> Exprs.cast(x.dtype(), Arith.div(sum.at(i), reduced.count(sum.dtype()))));
  }

  /** Means of {@code (x - mean)^2} of floats, in two passes. */
  public static TensorExpr variance(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return spread(k, name, "variance", x, axes, keepDims);
  }

  /** Square roots of {@link #variance}. */
  public static TensorExpr std(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return spread(k, name, "std", x, axes, keepDims);
  }

  private static TensorExpr spread(
      KernelBuilder k,
      String name,
      String op,
      TensorExpr x,
      @Nullable List<Integer> axes,
      boolean keepDims) {
    Check.floats(op, x);
    ReducedAxes reduced = ReducedAxes.of(op, x, axes, keepDims);
    TensorExpr squares = deviations(k, name, x, reduced);
    return k.compute(
        name,
        reduced.shape(),
        i -> {
          PrimExpr variance = Arith.div(squares.at(i), reduced.count(squares.dtype()));
          return Exprs.cast(
              x.dtype(), op.equals("std") ? Exprs.call(Intrinsic.SQRT, variance) : variance);
        });
  }

  private static TensorExpr deviations(
      KernelBuilder k, String name, TensorExpr x, ReducedAxes reduced) {
    TensorExpr sum = reduced.reduce(k, name + "_sum", Reducer.SUM, (i, at) -> x.at(at));
    TensorExpr mean =
        k.compute(
            name + "_mean", reduced.shape(), i -> Arith.div(sum.at(i), reduced.count(sum.dtype())));
    return reduced.reduce(
        k,
        name + "_squares",
        Reducer.SUM,
        (i, at) -> {
          PrimExpr apart = Exprs.sub(Arith.widened(x.at(at)), mean.at(i));
          return Exprs.mul(apart, apart);
        });
  }

  /**
   * The index of the largest element along an axis, or its number in row-major order: the first one
   * of equals; NaN is larger than all. -1 of nothing.
   *
   * @param axis null means all of {@code x}
   * @param dtype int32 or int64
   */
  public static TensorExpr argmax(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable Integer axis,
      boolean keepDims,
      DType dtype) {
    return extreme(k, name, "argmax", x, axis, keepDims, dtype);
  }

  /** The same of the smallest element; NaN is smaller than all here. */
  public static TensorExpr argmin(
      KernelBuilder k,
      String name,
      TensorExpr x,
      @Nullable Integer axis,
      boolean keepDims,
      DType dtype) {
    return extreme(k, name, "argmin", x, axis, keepDims, dtype);
  }

  private static TensorExpr extreme(
      KernelBuilder k,
      String name,
      String op,
      TensorExpr x,
      @Nullable Integer axis,
      boolean keepDims,
      DType dtype) {
    Check.numbers(op, x);
    IndexingOps.requireIndices(op, dtype);
    ReducedAxes reduced = ReducedAxes.of(op, x, axis == null ? null : List.of(axis), keepDims);
    return k.reduceAll(
            List.of(name, name + "_value"),
            reduced.shape(),
            reduced.domain(),
            first(op.equals("argmax")),
            (i, r) -> {
              PrimExpr number = Exprs.rowMajorOffset(r, reduced.domain());
              return List.of(Exprs.cast(dtype, number), x.at(reduced.index(i, r)));
            })
        .getFirst();
  }

  /**
   * Keeps index and value of the first of the largest, or smallest, whatever the order. An index of
   * -1 counts as no element.
   */
  static Reducer first(boolean largest) {
    return new Reducer(
        dtypes ->
            List.of(
                new IntImm(dtypes.get(0), -1),
                largest ? Reducer.lowest(dtypes.get(1)) : Reducer.highest(dtypes.get(1))),
        (a, b) -> {
          PrimExpr none = new IntImm(a.get(0).dtype(), -1);
          PrimExpr keeps = wins(a, b, largest);
          PrimExpr kept =
              Exprs.and(Arith.ne(a.get(0), none), Exprs.or(Exprs.eq(b.get(0), none), keeps));
          return List.of(
              Exprs.select(kept, a.get(0), b.get(0)), Exprs.select(kept, a.get(1), b.get(1)));
        });
  }

  private static PrimExpr wins(List<PrimExpr> a, List<PrimExpr> b, boolean largest) {
    PrimExpr x = a.get(1);
    PrimExpr y = b.get(1);
    PrimExpr xIsNan = Arith.isNan(x);
    PrimExpr yIsNan = Arith.isNan(y);
    PrimExpr beats = largest ? Arith.gt(x, y) : Exprs.lt(x, y);
    PrimExpr better = Exprs.or(beats, Exprs.and(xIsNan, Exprs.not(yIsNan)));
    PrimExpr equal = Exprs.or(Exprs.eq(x, y), Exprs.and(xIsNan, yIsNan));
    return Exprs.or(better, Exprs.and(equal, Exprs.lt(a.get(0), b.get(0))));
  }
}
