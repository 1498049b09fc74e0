package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Strided slices; any dtype. Source: docs/spec/op-set.md, section 3.4. */
public final class SliceOps {
  private SliceOps() {}

  /**
   * The indices {@code begin}, {@code begin + stride}, ... before {@code end}.
   *
   * @param begin one per axis of {@code axes}, int64; negative ones count from the end
   * @param end likewise
   * @param strides one per axis, not 0
   * @param inBound whether begin and end are known to lie in the tensor and count from the start
   */
  public static TensorExpr stridedSlice(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<Integer> axes,
      List<PrimExpr> begin,
      List<PrimExpr> end,
      List<Long> strides,
      boolean inBound) {
    String op = "strided_slice";
    List<Integer> sliced = Check.axesInOrder(op, axes, x.shape().size());
    Check.count(op, "begin", begin, sliced.size());
    Check.count(op, "end", end, sliced.size());
    Check.count(op, "strides", strides, sliced.size());
    List<PrimExpr> shape = new ArrayList<>(x.shape());
    List<PrimExpr> first = new ArrayList<>();
    for (int i = 0; i < sliced.size(); i++) {
      long stride = strides.get(i);
      Check.that(stride != 0, op, "the stride of axis " + sliced.get(i) + " is 0");
      PrimExpr extent = x.shape().get(sliced.get(i));
      PrimExpr from = inBound ? begin.get(i) : bounded(begin.get(i), extent, stride > 0);
      PrimExpr to = inBound ? end.get(i) : bounded(end.get(i), extent, stride > 0);
      first.add(from);
      shape.set(sliced.get(i), length(from, to, stride));
    }
    return k.compute(
        name,
        shape,
        i -> {
          List<PrimExpr> index = new ArrayList<>(i);
          for (int n = 0; n < sliced.size(); n++) {
            PrimExpr steps = Exprs.mul(i.get(sliced.get(n)), strides.get(n));
            index.set(sliced.get(n), Exprs.add(first.get(n), steps));
          }
          return x.at(index);
        });
  }

  private static PrimExpr length(PrimExpr from, PrimExpr to, long stride) {
    PrimExpr span = stride > 0 ? Exprs.sub(to, from) : Exprs.sub(from, to);
    PrimExpr length = Exprs.ceilDiv(span, IntImm.of(Math.abs(stride)));
    return Exprs.max(Dims.simplify(length), IntImm.of(0));
  }

  /** An index counted from the start and brought to where a slice may begin or end. */
  private static PrimExpr bounded(PrimExpr index, PrimExpr extent, boolean forward) {
    PrimExpr at = Arith.fromStart(index, extent);
    return forward
        ? Arith.clamp(at, IntImm.of(0), extent)
        : Arith.clamp(at, IntImm.of(-1), Exprs.sub(extent, 1));
  }

  /**
   * The extents of {@link #dynamicStridedSlice}: int64 {@code [rank]}.
   *
   * @param begin integers {@code [rank]}; negative ones count from the end
   * @param end likewise
   * @param strides likewise, none of them 0
   */
  public static TensorExpr dynamicSliceShape(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr begin,
      TensorExpr end,
      TensorExpr strides) {
    requireLists(x, begin, end, strides);
    return k.compute(
        name,
        List.of(IntImm.of(x.shape().size())),
        i -> {
          PrimExpr extent = IntImm.of(0);
          for (int axis = x.shape().size() - 1; axis >= 0; axis--) {
            PrimExpr own = Exprs.eq(i.getFirst(), IntImm.of(axis));
            extent = Exprs.select(own, x.shape().get(axis), extent);
          }
          PrimExpr stride = Arith.index(strides.at(i));
          PrimExpr from = bounded(begin.at(i), extent, stride);
          PrimExpr to = bounded(end.at(i), extent, stride);
          PrimExpr forward = Arith.gt(stride, IntImm.of(0));
          PrimExpr span = Exprs.select(forward, Exprs.sub(to, from), Exprs.sub(from, to));
          PrimExpr size = Exprs.select(forward, stride, Exprs.sub(IntImm.of(0), stride));
          return Exprs.max(Exprs.ceilDiv(span, size), IntImm.of(0));
        });
  }

  /**
   * A slice along all axes whose indices are in tensors.
   *
   * @param shape what {@link #dynamicSliceShape} gives
   */
  public static TensorExpr dynamicStridedSlice(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr begin,
      TensorExpr end,
      TensorExpr strides,
      List<PrimExpr> shape) {
    requireLists(x, begin, end, strides);
    Check.count("dynamic_strided_slice", "extents", shape, x.shape().size());
    return k.compute(
        name,
        shape,
        i -> {
          List<PrimExpr> index = new ArrayList<>();
          for (int axis = 0; axis < i.size(); axis++) {
            PrimExpr stride = Arith.index(strides.at(IntImm.of(axis)));
            PrimExpr from = bounded(begin.at(IntImm.of(axis)), x.shape().get(axis), stride);
            index.add(Exprs.add(from, Exprs.mul(i.get(axis), stride)));
          }
          return x.at(index);
        });
  }

  private static PrimExpr bounded(PrimExpr index, PrimExpr extent, PrimExpr stride) {
    return Exprs.select(
        Arith.gt(stride, IntImm.of(0)),
        bounded(index, extent, true),
        bounded(index, extent, false));
  }

  private static void requireLists(TensorExpr x, TensorExpr... lists) {
    for (TensorExpr list : lists) {
      Check.integers("dynamic_strided_slice", list);
      Check.rank("dynamic_strided_slice", list, 1);
      Dims.requireSame(
          "dynamic_strided_slice",
          list.shape().getFirst(),
          IntImm.of(x.shape().size()),
          "the length of " + list.name() + " and the number of axes");
    }
  }

  /**
   * {@code x} with the indices {@code begin}, {@code begin + stride}, ... before {@code end} along
   * an axis taken from another tensor.
   *
   * @param source of the shape that a slice has
   * @param stride positive
   */
  public static TensorExpr sliceScatter(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr source,
      PrimExpr begin,
      PrimExpr end,
      long stride,
      int axis) {
    String op = "slice_scatter";
    Check.sameDType(op, x, source);
    Check.rank(op, source, x.shape().size());
    Check.that(stride > 0, op, "expected a positive stride, but got " + stride);
    int along = Check.axis(op, axis, x.shape().size());
    PrimExpr extent = x.shape().get(along);
    PrimExpr from = bounded(begin, extent, true);
    PrimExpr to = bounded(end, extent, true);
    for (int i = 0; i < x.shape().size(); i++) {
      Dims.requireSame(
          op,
          i == along ? length(from, to, stride) : x.shape().get(i),
          source.shape().get(i),
          "the extents of axis " + i + " of slice and source");
    }
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr steps = Exprs.sub(i.get(along), from);
          PrimExpr taken =
              Exprs.and(
                  Arith.within(i.get(along), from, to),
                  Exprs.eq(Exprs.floorMod(steps, stride), IntImm.of(0)));
          return Exprs.ifThenElse(
              taken, source.at(AxisLists.with(i, along, Exprs.floorDiv(steps, stride))), x.at(i));
        });
  }

  /**
   * {@code x} with a slice along an axis taken from another tensor, at a position of its own for
   * each index of the first axis.
   *
   * @param source of the shape of {@code x} but for the axis
   * @param begin integers, one for each index of the first axis
   * @param axis not the first one
   * @param circular whether the slice goes on at the beginning where the axis ends; else what is
   *     beyond is left out
   */
  public static TensorExpr rowUpdate(
      KernelBuilder k,
      String name,
      TensorExpr x,
      TensorExpr source,
      TensorExpr begin,
      int axis,
      boolean circular) {
    String op = "row_update";
    Check.sameDType(op, x, source);
    Check.rank(op, source, x.shape().size());
    Check.integers(op, begin);
    Check.rank(op, begin, 1);
    int along = Check.axis(op, axis, x.shape().size());
    Check.that(along > 0, op, "the axis must not be the first one");
    for (int i = 0; i < x.shape().size(); i++) {
      if (i != along) {
        Dims.requireSame(op, x.shape().get(i), source.shape().get(i), "the extents of axis " + i);
      }
    }
    PrimExpr extent = x.shape().get(along);
    PrimExpr count = source.shape().get(along);
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr distance = Exprs.sub(i.get(along), Arith.index(begin.at(i.getFirst())));
          PrimExpr position = circular ? Exprs.floorMod(distance, extent) : distance;
          return Exprs.ifThenElse(
              Arith.within(position, IntImm.of(0), count),
              source.at(AxisLists.with(i, along, position)),
              x.at(i));
        });
  }
}
