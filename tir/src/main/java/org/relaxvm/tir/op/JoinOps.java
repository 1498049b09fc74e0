package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** One tensor of several, and several of one; any dtype. */
public final class JoinOps {
  /** More tensors than these are chosen by halves: conditions nest, and the IR bounds the depth. */
  private static final int MOST_IN_A_CHAIN = 16;

  private JoinOps() {}

  /** Tensors concatenated along an axis. */
  public static TensorExpr concat(KernelBuilder k, String name, List<TensorExpr> parts, int axis) {
    Check.that(!parts.isEmpty(), "concat", "expected at least one tensor");
    TensorExpr first = parts.getFirst();
    int along = Check.axis("concat", axis, first.shape().size());
    PrimExpr total = IntImm.of(0);
    List<PrimExpr> starts = new ArrayList<>();
    for (TensorExpr part : parts) {
      requireAlike("concat", first, part, along);
      starts.add(total);
      total = Exprs.add(total, part.shape().get(along));
    }
    return k.compute(
        name,
        AxisLists.with(first.shape(), along, total),
        i ->
            chosen(
                parts.size(),
                index -> Exprs.lt(i.get(along), starts.get(index + 1)),
                index -> Exprs.lt(i.get(along), starts.get(index)),
                index -> {
                  PrimExpr at = Exprs.sub(i.get(along), starts.get(index));
                  return parts.get(index).at(AxisLists.with(i, along, at));
                }));
  }

  /** Tensors of one shape along a new axis. */
  public static TensorExpr stack(KernelBuilder k, String name, List<TensorExpr> parts, int axis) {
    Check.that(!parts.isEmpty(), "stack", "expected at least one tensor");
    TensorExpr first = parts.getFirst();
    int along = Check.axis("stack", axis, first.shape().size() + 1);
    parts.forEach(part -> requireAlike("stack", first, part, -1));
    return k.compute(
        name,
        AxisLists.inserted(first.shape(), along, IntImm.of(parts.size())),
        i ->
            chosen(
                parts.size(),
                index -> Exprs.eq(i.get(along), IntImm.of(index)),
                index -> Exprs.lt(i.get(along), IntImm.of(index)),
                index -> parts.get(index).at(AxisLists.<PrimExpr>without(i, along))));
  }

  /**
   * The parts of a tensor between indices along an axis.
   *
   * @param boundaries where parts begin, but for the first; brought into 0 to the extent
   * @return one more than there are indices, named after {@code name} and a number
   */
  public static List<TensorExpr> split(
      KernelBuilder k, String name, TensorExpr x, List<PrimExpr> boundaries, int axis) {
    int along = Check.axis("split", axis, x.shape().size());
    PrimExpr extent = x.shape().get(along);
    List<PrimExpr> ends = new ArrayList<>();
    ends.add(IntImm.of(0));
    for (PrimExpr boundary : boundaries) {
      ends.add(Exprs.min(Exprs.max(boundary, IntImm.of(0)), extent));
    }
    ends.add(extent);
    List<TensorExpr> parts = new ArrayList<>();
    for (int part = 0; part + 1 < ends.size(); part++) {
      PrimExpr start = ends.get(part);
      PrimExpr length = Exprs.sub(ends.get(part + 1), start);
      if (!boundaries.isEmpty()) {
        length = Exprs.max(Dims.simplify(length), IntImm.of(0));
      }
      parts.add(
          k.compute(
              name + part,
              AxisLists.with(x.shape(), along, length),
              i -> x.at(AxisLists.with(i, along, Exprs.add(i.get(along), start)))));
    }
    return parts;
  }

  /**
   * Parts of equal extents along an axis, rounded up, the last one what is left.
   *
   * @param sections at least 1; a constant extent must leave something for the last one
   */
  public static List<TensorExpr> split(
      KernelBuilder k, String name, TensorExpr x, int sections, int axis) {
    Check.that(sections >= 1, "split", "expected at least 1 section, but got " + sections);
    PrimExpr extent = x.shape().get(Check.axis("split", axis, x.shape().size()));
    PrimExpr chunk = Dims.simplify(Exprs.ceilDiv(extent, IntImm.of(sections)));
    if (extent instanceof IntImm known && chunk instanceof IntImm size) {
      Check.that(
          known.value() >= size.value() * (sections - 1),
          "split",
          "an extent of " + known.value() + " has no " + sections + " sections of " + size.value());
    }
    List<PrimExpr> boundaries = new ArrayList<>();
    for (int part = 1; part < sections; part++) {
      boundaries.add(Exprs.mul(chunk, part));
    }
    return split(k, name, x, boundaries, axis);
  }

  /**
   * Each of several tensors of rank 1 along its own axis of a grid, in the order of the axes.
   *
   * @return as many tensors as there are, named after {@code name} and a number
   */
  public static List<TensorExpr> meshgrid(KernelBuilder k, String name, List<TensorExpr> lines) {
    return meshgrid(k, name, lines, IntStream.range(0, lines.size()).boxed().toList());
  }

  /**
   * The same with another order of axes.
   *
   * @param axes for each tensor which axis of the grid is its own: each number once
   */
  public static List<TensorExpr> meshgrid(
      KernelBuilder k, String name, List<TensorExpr> lines, List<Integer> axes) {
    PrimExpr[] shape = new PrimExpr[lines.size()];
    for (int index = 0; index < shape.length; index++) {
      Check.rank("meshgrid", lines.get(index), 1);
      shape[axes.get(index)] = lines.get(index).shape().getFirst();
    }
    List<TensorExpr> grids = new ArrayList<>();
    for (int index = 0; index < shape.length; index++) {
      TensorExpr line = lines.get(index);
      int own = axes.get(index);
      grids.add(k.compute(name + index, List.of(shape), i -> line.at(i.get(own))));
    }
    return grids;
  }

  private static void requireAlike(String op, TensorExpr first, TensorExpr part, int but) {
    Check.sameDType(op, first, part);
    Check.rank(op, part, first.shape().size());
    for (int axis = 0; axis < first.shape().size(); axis++) {
      if (axis != but) {
        Dims.requireSame(
            op, first.shape().get(axis), part.shape().get(axis), "the extents of axis " + axis);
      }
    }
  }

  /**
   * The value of the part that a position is in.
   *
   * @param isPart whether it is in a part, for positions in no earlier part
   * @param isBefore whether it is in any earlier part
   */
  private static PrimExpr chosen(
      int count,
      IntFunction<PrimExpr> isPart,
      IntFunction<PrimExpr> isBefore,
      IntFunction<PrimExpr> value) {
    if (count > MOST_IN_A_CHAIN) {
      return halved(0, count, isBefore, value);
    }
    PrimExpr result = value.apply(count - 1);
    for (int index = count - 2; index >= 0; index--) {
      result = Exprs.ifThenElse(isPart.apply(index), value.apply(index), result);
    }
    return result;
  }

  private static PrimExpr halved(
      int from, int to, IntFunction<PrimExpr> isBefore, IntFunction<PrimExpr> value) {
    if (to - from == 1) {
      return value.apply(from);
    }
    int middle = (from + to) >>> 1;
    return Exprs.ifThenElse(
        isBefore.apply(middle),
        halved(from, middle, isBefore, value),
        halved(middle, to, isBefore, value));
  }
}
