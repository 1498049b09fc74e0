package org.relaxvm.tir.op.support;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * A reduction of some axes of a tensor.
 *
 * @param axes from the start, ascending
 * @param keepDims whether reduced axes stay with extent 1
 */
public record ReducedAxes(List<PrimExpr> full, List<Integer> axes, boolean keepDims) {
  /** The axes of a tensor, all of them for null. */
  public static ReducedAxes of(
      String op, TensorExpr x, @Nullable List<Integer> axes, boolean keepDims) {
    return new ReducedAxes(x.shape(), Check.axes(op, axes, x.shape().size()), keepDims);
  }

  /** The extents of the result. */
  public List<PrimExpr> shape() {
    List<PrimExpr> shape = new ArrayList<>();
    for (int axis = 0; axis < full.size(); axis++) {
      if (!axes.contains(axis)) {
        shape.add(full.get(axis));
      } else if (keepDims) {
        shape.add(IntImm.of(1));
      }
    }
    return shape;
  }

  /** The extents of the reduced axes. */
  public List<PrimExpr> domain() {
    return axes.stream().map(full::get).toList();
  }

  /** The index into the tensor of a position in the result and one in the domain. */
  public List<PrimExpr> index(List<PrimExpr> resultIndex, List<PrimExpr> point) {
    List<PrimExpr> index = new ArrayList<>();
    int next = 0;
    for (int axis = 0; axis < full.size(); axis++) {
      boolean reduced = axes.contains(axis);
      index.add(reduced ? point.get(axes.indexOf(axis)) : resultIndex.get(next));
      next += reduced && !keepDims ? 0 : 1;
    }
    return index;
  }

  /** The position in the result of an index into the tensor. */
  public List<PrimExpr> resultIndex(List<PrimExpr> index) {
    List<PrimExpr> result = new ArrayList<>();
    for (int axis = 0; axis < full.size(); axis++) {
      if (!axes.contains(axis)) {
        result.add(index.get(axis));
      } else if (keepDims) {
        result.add(IntImm.of(0));
      }
    }
    return result;
  }

  /** The reduced part of an index. */
  public List<PrimExpr> point(List<PrimExpr> index) {
    return axes.stream().map(index::get).toList();
  }

  /** How many elements are reduced to one, as a float: by way of int32 while that is enough. */
  public PrimExpr count(DType dtype) {
    PrimExpr count = Exprs.product(domain());
    return count instanceof IntImm imm ? Arith.of(dtype, imm.value()) : Exprs.cast(dtype, count);
  }

  /** The reduction in the accumulator dtype, with memory of its own. */
  public TensorExpr reduce(
      KernelBuilder k,
      String name,
      Reducer reducer,
      BiFunction<List<PrimExpr>, List<PrimExpr>, PrimExpr> element) {
    return k.reduce(
        name, shape(), domain(), reducer, (i, r) -> Arith.widened(element.apply(i, index(i, r))));
  }

  /** A reduction in the accumulator dtype, rounded once to the dtype of the result. */
  public static TensorExpr accumulate(
      KernelBuilder k,
      String name,
      DType dtype,
      List<PrimExpr> shape,
      List<PrimExpr> domain,
      Reducer reducer,
      BiFunction<List<PrimExpr>, List<PrimExpr>, PrimExpr> element) {
    DType wide = Arith.wide(dtype);
    if (wide.equals(dtype)) {
      return k.reduce(
          name, shape, domain, reducer, (i, r) -> Exprs.cast(dtype, element.apply(i, r)));
    }
    TensorExpr sum =
        k.reduce(
            name + "_acc", shape, domain, reducer, (i, r) -> Exprs.cast(wide, element.apply(i, r)));
    return k.compute(name, shape, i -> Exprs.cast(dtype, sum.at(i)));
  }
}
