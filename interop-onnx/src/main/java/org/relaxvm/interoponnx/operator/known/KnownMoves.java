package org.relaxvm.interoponnx.operator.known;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.Shape;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Operators that move elements, on known tensors. */
public final class KnownMoves {
  private KnownMoves() {}

  private static Optional<List<Long>> axes(NodeContext node) {
    Optional<List<Long>> attribute = node.attributes().integers("axes");
    return attribute.isPresent() ? attribute : node.has(1) ? node.integers(1) : Optional.empty();
  }

  /** Whether an optional input is there and is not known. */
  private static boolean isComputed(NodeContext node, int input) {
    return node.has(input) && node.integers(input).isEmpty();
  }

  /** {@code Reshape}. */
  public static Optional<Operand> reshape(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<List<Long>> target =
        node.version() < 5 ? node.attributes().integers("shape") : node.integers(1);
    if (x.isEmpty() || target.isEmpty() || node.attributes().flag("allowzero", false)) {
      return Optional.empty();
    }
    long[] dims = target.get().stream().mapToLong(Long::longValue).toArray();
    long count = 1;
    int open = -1;
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] == 0 && axis < x.get().shape().rank()) {
        dims[axis] = x.get().shape().dim(axis);
      }
      if (dims[axis] == -1) {
        open = axis;
      } else {
        count *= dims[axis];
      }
    }
    long elements = x.get().elements().size();
    if (open >= 0 && count > 0 && elements % count == 0) {
      dims[open] = elements / count;
      count = elements;
    }
    return count == elements && Arrays.stream(dims).allMatch(n -> n >= 0)
        ? Optional.of(x.get().withShape(Shape.of(dims)))
        : Optional.empty();
  }

  /** {@code Squeeze}. */
  public static Optional<Operand> squeeze(NodeContext node) {
    Optional<Known> x = node.known(0);
    if (x.isEmpty() || isComputed(node, 1)) {
      return Optional.empty();
    }
    Shape shape = x.get().shape();
    Optional<List<Integer>> axes =
        axes(node)
            .map(list -> list.stream().map(a -> KnownShapes.axis(node, a, shape.rank())).toList());
    long[] dims =
        IntStream.range(0, shape.rank())
            .filter(axis -> axes.map(list -> !list.contains(axis)).orElse(shape.dim(axis) != 1))
            .mapToLong(shape::dim)
            .toArray();
    Shape result = Shape.of(dims);
    return result.elementCount() == shape.elementCount()
        ? Optional.of(x.get().withShape(result))
        : Optional.empty();
  }

  /** {@code Unsqueeze}. */
  public static Optional<Operand> unsqueeze(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<List<Long>> given = axes(node);
    if (x.isEmpty() || given.isEmpty()) {
      return Optional.empty();
    }
    int rank = x.get().shape().rank() + given.get().size();
    List<Integer> axes = given.get().stream().map(a -> node.axis(a, rank)).toList();
    long[] dims = new long[rank];
    int own = 0;
    for (int axis = 0; axis < rank; axis++) {
      dims[axis] =
          axes.contains(axis) || own >= x.get().shape().rank() ? 1 : x.get().shape().dim(own++);
    }
    return Optional.of(x.get().withShape(Shape.of(dims)));
  }

  /** {@code Transpose}. */
  public static Optional<Operand> transpose(NodeContext node) {
    Optional<Known> x = node.known(0);
    if (x.isEmpty()) {
      return Optional.empty();
    }
    Shape shape = x.get().shape();
    int rank = shape.rank();
    int[] perm =
        node.attributes()
            .integers("perm")
            .map(list -> list.stream().mapToInt(axis -> Math.clamp(axis, -1, rank)).toArray())
            .orElseGet(() -> IntStream.range(0, rank).map(i -> rank - 1 - i).toArray());
    int[] sorted = perm.clone();
    Arrays.sort(sorted);
    if (!Arrays.equals(sorted, IntStream.range(0, rank).toArray())) {
      return Optional.empty();
    }
    Shape result = Shape.of(IntStream.of(perm).mapToLong(shape::dim).toArray());
    long[] strides = KnownShapes.strides(shape);
    return Optional.of(
        x.get()
            .select(
                result,
                positions(result)
                    .map(
                        position -> {
                          long[] index = KnownShapes.index(position, result);
                          long at = 0;
                          for (int axis = 0; axis < rank; axis++) {
                            at += index[axis] * strides[perm[axis]];
                          }
                          return (int) at;
                        })));
  }

  private static IntStream positions(Shape shape) {
    return IntStream.range(0, (int) shape.elementCount());
  }

  /** {@code Concat}. */
  public static Optional<Operand> concat(NodeContext node) {
    List<Known> parts = new ArrayList<>();
    for (int i = 0; i < node.inputs(); i++) {
      Optional<Known> part = node.known(i);
      if (part.isEmpty()) {
        return Optional.empty();
      }
      parts.add(part.get());
    }
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    Known first = parts.getFirst();
    if (parts.stream().anyMatch(part -> part.shape().rank() != first.shape().rank())) {
      return Optional.empty();
    }
    int axis = KnownShapes.axis(node, node.attributes().integer("axis", 1), first.shape().rank());
    long total = parts.stream().mapToLong(part -> part.shape().dim(axis)).sum();
    long[] dims = first.shape().toArray();
    dims[axis] = total;
    Shape result = Shape.of(dims);
    boolean fits = result.elementCount() <= Known.LIMIT;
    for (Known part : parts) {
      long[] own = part.shape().toArray();
      own[axis] = total;
      fits &= part.dtype().equals(first.dtype()) && Arrays.equals(own, dims);
    }
    return fits
        ? Optional.of(new Known(first.dtype(), result, joined(parts, axis)))
        : Optional.empty();
  }

  private static List<Element> joined(List<Known> parts, int axis) {
    Shape shape = parts.getFirst().shape();
    long rows = 1;
    for (int i = 0; i < axis; i++) {
      rows *= shape.dim(i);
    }
    List<Element> elements = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      for (Known part : parts) {
        int width = (int) (part.elements().size() / rows);
        elements.addAll(part.elements().subList(row * width, (row + 1) * width));
      }
    }
    return elements;
  }

  /** {@code Slice} with bounds that are numbers. */
  public static Optional<Operand> slice(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<List<Long>> starts = numbers(node, "starts", 1);
    Optional<List<Long>> ends = numbers(node, "ends", 2);
    boolean isStill = numbers(node, "steps", 4).orElse(List.of()).contains(0L);
    boolean isDynamic = node.version() >= 10 && (isComputed(node, 3) || isComputed(node, 4));
    if (x.isEmpty() || starts.isEmpty() || ends.isEmpty() || isDynamic || isStill) {
      return Optional.empty();
    }
    int count = starts.get().size();
    List<Long> axes =
        numbers(node, "axes", 3)
            .orElseGet(() -> IntStream.range(0, count).mapToObj(Long::valueOf).toList());
    List<Long> steps =
        numbers(node, "steps", 4)
            .orElseGet(() -> IntStream.range(0, count).mapToObj(i -> 1L).toList());
    Known result = x.get();
    for (int i = 0; i < count; i++) {
      int axis = KnownShapes.axis(node, axes.get(i), result.shape().rank());
      result =
          taken(
              result,
              axis,
              indices(
                  starts.get().get(i), ends.get().get(i), steps.get(i), result.shape().dim(axis)));
    }
    return Optional.of(result);
  }

  private static Optional<List<Long>> numbers(NodeContext node, String name, int input) {
    return node.version() < 10 ? node.attributes().integers(name) : node.integers(input);
  }

  /** {@code Split} into parts of sizes that are numbers. */
  public static Optional<List<Operand>> split(
      NodeContext node, int axis, List<? extends PrimExpr> sizes) {
    Optional<Known> x = node.known(0);
    long total = 0;
    for (PrimExpr size : sizes) {
      if (!(size instanceof IntImm number) || number.value() < 0) {
        return Optional.empty();
      }
      total += number.value();
    }
    if (x.isEmpty() || x.get().shape().rank() <= axis || total != x.get().shape().dim(axis)) {
      return Optional.empty();
    }
    List<Operand> parts = new ArrayList<>();
    long begin = 0;
    for (PrimExpr size : sizes) {
      long end = begin + ((IntImm) size).value();
      parts.add(taken(x.get(), axis, LongStream.range(begin, end).toArray()));
      begin = end;
    }
    return Optional.of(parts);
  }

  private static long[] indices(long start, long end, long step, long extent) {
    long from = start < 0 ? start + extent : start;
    long to = end < -extent ? (step > 0 ? 0 : -1) : end < 0 ? end + extent : end;
    long first = step > 0 ? Math.clamp(from, 0L, extent) : Math.min(Math.max(from, 0), extent - 1);
    long last = step > 0 ? Math.clamp(to, 0L, extent) : Math.clamp(to, -1L, extent - 1);
    boolean isEmpty = step > 0 ? first >= last : first <= last;
    long count = isEmpty ? 0 : (last - first - Long.signum(step)) / step + 1;
    return LongStream.range(0, count).map(i -> first + i * step).toArray();
  }

  /** Slices along an axis, by their indices. */
  private static Known taken(Known x, int axis, long[] indices) {
    long[] dims = x.shape().toArray();
    dims[axis] = indices.length;
    Shape result = Shape.of(dims);
    long[] strides = KnownShapes.strides(x.shape());
    return x.select(
        result,
        positions(result)
            .map(
                position -> {
                  long[] index = KnownShapes.index(position, result);
                  index[axis] = indices[(int) index[axis]];
                  long at = 0;
                  for (int i = 0; i < index.length; i++) {
                    at += index[i] * strides[i];
                  }
                  return (int) at;
                }));
  }

  /** {@code Gather} with indices that are numbers. */
  public static Optional<Operand> gather(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Known> indices = node.known(1);
    Optional<List<Long>> numbers = indices.flatMap(Known::longs);
    if (x.isEmpty() || numbers.isEmpty()) {
      return Optional.empty();
    }
    Shape shape = x.get().shape();
    int axis = KnownShapes.axis(node, node.attributes().integer("axis", 0), shape.rank());
    long extent = shape.dim(axis);
    if (numbers.get().stream().anyMatch(i -> i < -extent || i >= extent)) {
      return Optional.empty();
    }
    if ((double) x.get().elements().size() * numbers.get().size() > (double) Known.LIMIT * extent) {
      return Optional.empty();
    }
    long[] at = numbers.get().stream().mapToLong(i -> i < 0 ? i + extent : i).toArray();
    Known taken = taken(x.get(), axis, at);
    List<Long> dims = new ArrayList<>();
    for (int i = 0; i < shape.rank(); i++) {
      if (i == axis) {
        for (long dim : indices.get().shape().toArray()) {
          dims.add(dim);
        }
      } else {
        dims.add(shape.dim(i));
      }
    }
    return Optional.of(
        taken.withShape(Shape.of(dims.stream().mapToLong(Long::longValue).toArray())));
  }
}
