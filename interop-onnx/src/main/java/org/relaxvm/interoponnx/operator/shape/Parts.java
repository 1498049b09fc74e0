package org.relaxvm.interoponnx.operator.shape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.PrimValue;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.index.DynamicSlices;
import org.relaxvm.compiler.op.index.Slices;
import org.relaxvm.interoponnx.convert.Dtypes;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.convert.RuntimeNumbers;
import org.relaxvm.interoponnx.operator.known.KnownMoves;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.AxisLists;

/** Parts of tensors, and tensors from parts. */
public final class Parts {
  /** No extent is as large; so many sizes as a node has do not overflow. */
  private static final long LARGEST_SIZE = 1L << 40;

  private Parts() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Concat", 1, Parts::concat, KnownMoves::concat)
        .add("Split", 1, Parts::split)
        .add("Slice", 1, Parts::slice, KnownMoves::slice)
        .add("Gather", 1, Parts::gather, KnownMoves::gather);
  }

  private static List<Operand> concat(NodeContext node) {
    List<Expr> parts = node.tensors();
    int rank = node.rank(parts.getFirst());
    int axis = node.axis(node.attributes().integer("axis", 1), rank);
    return parts.size() == 1 ? List.of(node.operand(0)) : node.result(Ops.concat(parts, axis));
  }

  /** Sizes are an input in version 1 and from 13 on, an attribute between; else equal parts. */
  private static List<Operand> split(NodeContext node) {
    Expr x = node.tensor(0);
    List<PrimExpr> dims = node.dims(x);
    int axis = node.axis(node.attributes().integer("axis", 0), dims.size());
    List<PrimExpr> sizes = sizes(node, dims.get(axis));
    Expr whole = isGiven(node) ? ofSizes(node, x, axis, sizes) : x;
    Optional<List<Operand>> known = KnownMoves.split(node, axis, sizes);
    if (known.isPresent()) {
      return known.get();
    }
    List<Expr> parts = new ArrayList<>();
    PrimExpr begin = IntImm.of(0);
    for (PrimExpr size : sizes) {
      PrimExpr end = node.analyzer().simplify(Exprs.add(begin, size));
      List<PrimExpr> shape = AxisLists.with(dims, axis, size);
      boolean isEmpty = RuntimeNumbers.isEmpty(dims) && !RuntimeNumbers.isEmpty(shape);
      parts.add(
          node.emit(
              isEmpty
                  ? Ops.zeros(new ShapeExpr(shape), node.dtype(x))
                  : range(whole, axis, begin, end)));
      begin = end;
    }
    return node.results(parts);
  }

  private static boolean isGiven(NodeContext node) {
    return node.attributes().has("split") || node.has(1);
  }

  /**
   * A tensor whose extent along an axis is the sum of the sizes of its parts, which is checked at
   * run time where it is not certain.
   *
   * @throws InvalidProgramException when a size is negative, or the sum is surely another
   */
  public static Expr ofSizes(NodeContext node, Expr x, int axis, List<PrimExpr> sizes) {
    List<PrimExpr> dims = node.dims(x);
    PrimExpr extent = dims.get(axis);
    boolean isValid = true;
    PrimExpr sum = IntImm.of(0);
    for (PrimExpr size : sizes) {
      isValid &=
          !(size instanceof IntImm number)
              || (number.value() >= 0 && number.value() <= LARGEST_SIZE);
      sum = Exprs.add(sum, size);
    }
    sum = node.analyzer().simplify(sum);
    boolean differs = sum instanceof IntImm && extent instanceof IntImm && !sum.equals(extent);
    if (!isValid || differs) {
      String parts = sizes.stream().map(Emitter::text).collect(Collectors.joining(", "));
      throw node.unsupported(
          "parts of sizes [%s] are asked for along axis %d; expected sizes from 0 on with the sum %s"
              .formatted(parts, axis, Emitter.text(extent)),
          "");
    }
    return new Emitter(node).withDims(x, AxisLists.with(dims, axis, sum));
  }

  private static List<PrimExpr> sizes(NodeContext node, PrimExpr extent) {
    Optional<List<Long>> given = node.attributes().integers("split");
    if (given.isPresent()) {
      return given.get().stream().map(n -> (PrimExpr) IntImm.of(n)).toList();
    }
    if (node.has(1)) {
      return node.extents(1);
    }
    long count = node.attributes().integer("num_outputs", node.outputs());
    if (count < 1) {
      throw node.unsupported("the number of parts is " + count + "; expected 1 or more", "");
    }
    PrimExpr chunk = node.analyzer().simplify(Exprs.ceilDiv(extent, IntImm.of(count)));
    List<PrimExpr> sizes = new ArrayList<>();
    PrimExpr left = extent;
    for (int i = 0; i < count; i++) {
      PrimExpr size = node.analyzer().simplify(Exprs.min(chunk, left));
      sizes.add(size);
      left = node.analyzer().simplify(Exprs.sub(left, size));
    }
    return sizes;
  }

  /** The part of a tensor between two positions that lie inside of an axis. */
  public static Expr range(Expr x, int axis, PrimExpr begin, PrimExpr end) {
    return Slices.stridedSlice(
        x,
        tuple(List.of(IntImm.of(axis))),
        tuple(List.of(begin)),
        tuple(List.of(end)),
        tuple(List.of(IntImm.of(1))),
        true);
  }

  private static Tuple tuple(List<? extends PrimExpr> values) {
    return new Tuple(values.stream().<Expr>map(PrimValue::new).toList());
  }

  // ---------------------------------------------------------------- slices

  /** Bounds are attributes before version 10. */
  private static List<Operand> slice(NodeContext node) {
    Expr x = node.tensor(0);
    int rank = node.rank(x);
    Optional<List<PrimExpr>> starts = bounds(node, "starts", 1);
    Optional<List<PrimExpr>> ends = bounds(node, "ends", 2);
    Optional<List<Long>> axes = numbers(node, "axes", 3);
    Optional<List<Long>> steps = numbers(node, "steps", 4);
    if (starts.isEmpty() || ends.isEmpty()) {
      return dynamicSlice(node, x, rank, axes, steps);
    }
    int count = starts.get().size();
    List<Long> along =
        axes.orElseGet(() -> IntStream.range(0, count).mapToObj(Long::valueOf).toList());
    List<PrimExpr> by =
        steps
            .map(list -> list.stream().map(n -> (PrimExpr) IntImm.of(n)).toList())
            .orElseGet(
                () -> IntStream.range(0, count).mapToObj(i -> (PrimExpr) IntImm.of(1)).toList());
    List<PrimExpr> dims = node.dims(x);
    List<PrimExpr> begins = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PrimExpr extent = dims.get(node.axis(along.get(i), rank));
      begins.add(begin(node, starts.get().get(i), by.get(i), extent));
    }
    return node.result(
        Slices.stridedSlice(
            x,
            tuple(along.stream().map(a -> IntImm.of(node.axis(a, rank))).toList()),
            tuple(begins),
            tuple(ends.get()),
            tuple(by),
            false));
  }

  /**
   * Where a slice begins. With a negative step a start before the first element is that element,
   * while the compiler takes it for one that gives no elements.
   */
  private static PrimExpr begin(NodeContext node, PrimExpr start, PrimExpr step, PrimExpr extent) {
    IntImm zero = IntImm.of(0);
    boolean isForward = step instanceof IntImm number && number.value() > 0;
    boolean isInside =
        start.equals(IntImm.of(-1))
            || node.analyzer().canProve(Exprs.le(zero, start))
            || node.analyzer().canProve(Exprs.le(Exprs.sub(zero, extent), start));
    if (isForward || isInside) {
      return start;
    }
    PrimExpr fromFirst = Exprs.max(Exprs.add(start, extent), zero);
    return node.analyzer().simplify(Exprs.select(Exprs.lt(start, zero), fromFirst, start));
  }

  private static Optional<List<PrimExpr>> bounds(NodeContext node, String name, int input) {
    if (node.version() < 10) {
      return Optional.of(
          node.attributes().integers(name).orElse(List.of()).stream()
              .map(n -> (PrimExpr) IntImm.of(n))
              .toList());
    }
    return node.known(input).flatMap(Known::integers);
  }

  private static Optional<List<Long>> numbers(NodeContext node, String name, int input) {
    if (node.version() < 10) {
      return node.attributes().integers(name);
    }
    return node.deciding(input, name);
  }

  /** Bounds that are computed at run time: those of all axes as one tensor each. */
  private static List<Operand> dynamicSlice(
      NodeContext node, Expr x, int rank, Optional<List<Long>> axes, Optional<List<Long>> steps) {
    int count = node.rank(node.tensor(1)) == 0 ? 1 : extent(node, node.tensor(1));
    List<Integer> along =
        axes.map(list -> list.stream().map(axis -> node.axis(axis, rank)).toList())
            .orElseGet(() -> IntStream.range(0, count).boxed().toList());
    List<Expr> begins = new ArrayList<>();
    List<Expr> ends = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    Expr starts = node.emit(Ops.astype(node.tensor(1), DType.INT64));
    Expr stops = node.emit(Ops.astype(node.tensor(2), DType.INT64));
    for (int axis = 0; axis < rank; axis++) {
      int position = along.indexOf(axis);
      if (position < 0) {
        begins.add(vector(node, 0));
        ends.add(vector(node, Long.MAX_VALUE));
        strides.add(1L);
      } else {
        List<Long> from = List.of((long) position);
        List<Long> to = List.of((long) position + 1);
        Expr begin = node.emit(Ops.stridedSlice(starts, List.of(0L), from, to));
        long stride = steps.map(list -> list.get(position)).orElse(1L);
        PrimExpr first = Exprs.sub(IntImm.of(0), node.dims(x).get(axis));
        begins.add(
            stride > 0 ? begin : node.emit(Ops.maximum(begin, Dtypes.number(node, begin, first))));
        ends.add(node.emit(Ops.stridedSlice(stops, List.of(0L), from, to)));
        strides.add(stride);
      }
    }
    Expr by = node.leaf(Known.vector(strides.stream().map(IntImm::of).toList()));
    return node.result(
        DynamicSlices.dynamicStridedSlice(x, joined(node, begins), joined(node, ends), by));
  }

  private static int extent(NodeContext node, Expr vector) {
    if (node.dims(vector).getFirst() instanceof IntImm number) {
      return (int) number.value();
    }
    throw node.unsupported(
        "the number of its bounds is computed at run time", "make them a constant (--value)");
  }

  private static Expr vector(NodeContext node, long value) {
    return node.leaf(Known.vector(List.of(IntImm.of(value))));
  }

  private static Expr joined(NodeContext node, List<Expr> parts) {
    return parts.size() == 1 ? parts.getFirst() : node.emit(Ops.concat(parts, 0));
  }

  /** Negative indices count from the end. */
  private static List<Operand> gather(NodeContext node) {
    Expr x = node.tensor(0);
    int axis = node.axis(node.attributes().integer("axis", 0), node.rank(x));
    return node.result(Ops.take(x, node.tensor(1), axis));
  }
}
