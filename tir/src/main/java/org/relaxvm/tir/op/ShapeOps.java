package org.relaxvm.tir.op;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Count;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.op.support.Arith;
import org.relaxvm.tir.op.support.Check;
import org.relaxvm.tir.op.support.Dims;
import org.relaxvm.tir.op.support.ReducedAxes;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Elements in another order or shape; any dtype. */
public final class ShapeOps {
  private ShapeOps() {}

  /** A copy. */
  public static TensorExpr copy(KernelBuilder k, String name, TensorExpr x) {
    return k.compute(name, x.shape(), x::at);
  }

  /** Repeats axes of extent 1 and missing ones. */
  public static TensorExpr broadcastTo(
      KernelBuilder k, String name, TensorExpr x, List<PrimExpr> shape) {
    Check.that(
        x.shape().size() <= shape.size(),
        "broadcast_to",
        "cannot broadcast " + Count.axes(x.shape().size()) + " to " + shape.size());
    int missing = shape.size() - x.shape().size();
    for (int axis = 0; axis < x.shape().size(); axis++) {
      PrimExpr extent = x.shape().get(axis);
      if (!Dims.isOne(extent)) {
        Dims.requireSame("broadcast_to", extent, shape.get(missing + axis), "extents but 1");
      }
    }
    return k.compute(name, shape, i -> Dims.at(x, i));
  }

  /**
   * The elements in row-major order in another shape. Also {@code flatten}.
   *
   * @param shape of as many elements
   */
  public static TensorExpr reshape(
      KernelBuilder k, String name, TensorExpr x, List<PrimExpr> shape) {
    Dims.requireSame(
        "reshape", Exprs.product(x.shape()), Exprs.product(shape), "the numbers of elements");
    return k.compute(
        name, shape, i -> x.at(Exprs.rowMajorIndex(Exprs.rowMajorOffset(i, shape), x.shape())));
  }

  /** The elements in row-major order on one axis. */
  public static TensorExpr flatten(KernelBuilder k, String name, TensorExpr x) {
    return reshape(k, name, x, List.of(Exprs.product(x.shape())));
  }

  /** All axes but the first as one. */
  public static TensorExpr batchFlatten(KernelBuilder k, String name, TensorExpr x) {
    Check.rankAtLeast("batch_flatten", x, 1);
    int rank = x.shape().size();
    return reshape(
        k, name, x, List.of(x.shape().getFirst(), Exprs.product(x.shape().subList(1, rank))));
  }

  /**
   * New axes of extent 1.
   *
   * @param axes in the result
   */
  public static TensorExpr expandDims(
      KernelBuilder k, String name, TensorExpr x, List<Integer> axes) {
    int rank = x.shape().size() + axes.size();
    List<Integer> added = Check.axes("expand_dims", axes, rank);
    List<PrimExpr> shape = new ArrayList<>(x.shape());
    added.forEach(axis -> shape.add(axis, IntImm.of(1)));
    return k.compute(name, shape, i -> x.at(others(i, added)));
  }

  /**
   * Axes of extent 1 taken away. A symbolic extent is believed to be 1.
   *
   * @param axes null means all of the constant extent 1
   */
  public static TensorExpr squeeze(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes) {
    int rank = x.shape().size();
    List<Integer> gone =
        axes == null
            ? IntStream.range(0, rank).filter(i -> Dims.isOne(x.shape().get(i))).boxed().toList()
            : Check.axes("squeeze", axes, rank);
    for (int axis : gone) {
      Check.that(
          !Dims.differ(x.shape().get(axis), IntImm.of(1)),
          "squeeze",
          "the axis " + axis + " has the extent " + Dims.text(x.shape().get(axis)) + ", not 1");
    }
    ReducedAxes reduced = new ReducedAxes(x.shape(), gone, false);
    List<PrimExpr> zeros = gone.stream().<PrimExpr>map(axis -> IntImm.of(0)).toList();
    return k.compute(name, reduced.shape(), i -> x.at(reduced.index(i, zeros)));
  }

  /**
   * Axis {@code i} of the result is axis {@code axes[i]} of {@code x}.
   *
   * @param axes null reverses the axes
   */
  public static TensorExpr permuteDims(
      KernelBuilder k, String name, TensorExpr x, @Nullable List<Integer> axes) {
    int rank = x.shape().size();
    List<Integer> order =
        axes == null
            ? IntStream.range(0, rank).boxed().toList().reversed()
            : Check.axesInOrder("permute_dims", axes, rank);
    Check.count("permute_dims", "axes", order, rank);
    List<PrimExpr> shape = order.stream().map(x.shape()::get).toList();
    return k.compute(
        name,
        shape,
        i -> x.at(IntStream.range(0, rank).mapToObj(axis -> i.get(order.indexOf(axis))).toList()));
  }

  /** The order along an axis reversed. */
  public static TensorExpr flip(KernelBuilder k, String name, TensorExpr x, int axis) {
    int along = Check.axis("flip", axis, x.shape().size());
    PrimExpr last = Exprs.sub(x.shape().get(along), 1);
    return moved(k, name, x, x.shape(), along, at -> Exprs.sub(last, at));
  }

  /**
   * The first elements of each line reversed, as many as a tensor says.
   *
   * @param lengths integers {@code [extent of batchAxis]}, each at most the extent of {@code
   *     seqAxis}
   */
  public static TensorExpr reverseSequence(
      KernelBuilder k, String name, TensorExpr x, TensorExpr lengths, int seqAxis, int batchAxis) {
    String op = "reverse_sequence";
    Check.integers(op, lengths);
    Check.rank(op, lengths, 1);
    int sequence = Check.axis(op, seqAxis, x.shape().size());
    int batch = Check.axis(op, batchAxis, x.shape().size());
    Check.that(sequence != batch, op, "both axes are " + sequence);
    return k.compute(
        name,
        x.shape(),
        i -> {
          PrimExpr length = Arith.index(lengths.at(i.get(batch)));
          PrimExpr at = i.get(sequence);
          PrimExpr reversed = Exprs.sub(Exprs.sub(length, at), 1);
          return x.at(
              AxisLists.with(i, sequence, Exprs.select(Exprs.lt(at, length), reversed, at)));
        });
  }

  /** The whole of {@code x} again and again; the shorter list gets leading ones. */
  public static TensorExpr tile(KernelBuilder k, String name, TensorExpr x, List<Long> repeats) {
    Check.atLeast("tile", "repeats", repeats, 0);
    int rank = Math.max(x.shape().size(), repeats.size());
    int missing = rank - x.shape().size();
    List<PrimExpr> shape = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      PrimExpr extent = axis < missing ? IntImm.of(1) : x.shape().get(axis - missing);
      int index = axis - (rank - repeats.size());
      shape.add(index < 0 ? extent : Exprs.mul(extent, repeats.get(index)));
    }
    return k.compute(
        name,
        shape,
        i -> {
          List<PrimExpr> index = new ArrayList<>();
          for (int axis = 0; axis < x.shape().size(); axis++) {
            index.add(Exprs.floorMod(i.get(missing + axis), x.shape().get(axis)));
          }
          return x.at(index);
        });
  }

  /**
   * Each element again and again along an axis.
   *
   * @param axis null flattens {@code x}
   */
  public static TensorExpr repeat(
      KernelBuilder k, String name, TensorExpr x, long repeats, @Nullable Integer axis) {
    Check.atLeast("repeat", "repeats", List.of(repeats), 0);
    if (axis == null) {
      PrimExpr length = Exprs.mul(Exprs.product(x.shape()), repeats);
      return k.compute(
          name,
          List.of(length),
          i -> x.at(Exprs.rowMajorIndex(Exprs.floorDiv(i.getFirst(), repeats), x.shape())));
    }
    int along = Check.axis("repeat", axis, x.shape().size());
    List<PrimExpr> shape =
        AxisLists.with(x.shape(), along, Exprs.mul(x.shape().get(along), repeats));
    return moved(k, name, x, shape, along, at -> Exprs.floorDiv(at, repeats));
  }

  /** The sum over all that {@link #broadcastTo} would repeat to get {@code x} from the shape. */
  public static TensorExpr collapseSum(
      KernelBuilder k, String name, TensorExpr x, List<PrimExpr> shape) {
    String op = "collapse_sum_to";
    Check.numbers(op, x);
    int missing = x.shape().size() - shape.size();
    Check.that(missing >= 0, op, "the shape has more axes than " + x.name());
    List<Integer> axes = new ArrayList<>();
    for (int axis = 0; axis < x.shape().size(); axis++) {
      PrimExpr extent = x.shape().get(axis);
      boolean collapsed =
          axis < missing || (Dims.isOne(shape.get(axis - missing)) && !Dims.isOne(extent));
      if (collapsed) {
        axes.add(axis);
      } else {
        Dims.requireSame(op, extent, shape.get(axis - missing), "extents that stay");
      }
    }
    List<PrimExpr> domain = axes.stream().map(x.shape()::get).toList();
    return ReducedAxes.accumulate(
        k,
        name,
        x.dtype(),
        shape,
        domain,
        Reducer.SUM,
        (i, r) -> {
          List<PrimExpr> index = new ArrayList<>();
          for (int axis = 0; axis < x.shape().size(); axis++) {
            int point = axes.indexOf(axis);
            index.add(point >= 0 ? r.get(point) : i.get(axis - missing));
          }
          return x.at(index);
        });
  }

  private static TensorExpr moved(
      KernelBuilder k,
      String name,
      TensorExpr x,
      List<PrimExpr> shape,
      int axis,
      UnaryOperator<PrimExpr> source) {
    return k.compute(name, shape, i -> x.at(AxisLists.with(i, axis, source.apply(i.get(axis)))));
  }

  private static List<PrimExpr> others(List<PrimExpr> index, List<Integer> axes) {
    return IntStream.range(0, index.size())
        .filter(axis -> !axes.contains(axis))
        .mapToObj(index::get)
        .toList();
  }
}
