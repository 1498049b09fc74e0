package org.relaxvm.interoponnx.operator.known;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.Shape;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;

/** Operators that repeat and surround elements, on known tensors. */
public final class KnownRepeats {
  private KnownRepeats() {}

  /** {@code Expand}. */
  public static Optional<Operand> expand(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Shape> target = shape(node.integers(1));
    if (x.isEmpty() || target.isEmpty()) {
      return Optional.empty();
    }
    return KnownShapes.broadcast(x.get().shape(), target.get())
        .map(shape -> KnownShapes.expanded(x.get(), shape));
  }

  private static Optional<Shape> shape(Optional<List<Long>> extents) {
    return extents
        .filter(list -> list.stream().allMatch(n -> n >= 0 && n <= Known.LIMIT))
        .map(list -> Shape.of(list.stream().mapToLong(Long::longValue).toArray()));
  }

  /** {@code Tile} since version 6. */
  public static Optional<Operand> tile(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Shape> repeats = node.version() < 6 ? Optional.empty() : shape(node.integers(1));
    if (x.isEmpty() || repeats.isEmpty() || repeats.get().rank() != x.get().shape().rank()) {
      return Optional.empty();
    }
    Shape shape = x.get().shape();
    long[] dims = new long[shape.rank()];
    double count = 1;
    for (int axis = 0; axis < dims.length; axis++) {
      dims[axis] = shape.dim(axis) * repeats.get().dim(axis);
      count *= dims[axis];
    }
    return count > Known.LIMIT ? Optional.empty() : Optional.of(selected(x.get(), Shape.of(dims)));
  }

  private static Known selected(Known x, Shape result) {
    long[] strides = KnownShapes.strides(x.shape());
    return x.select(
        result,
        IntStream.range(0, (int) result.elementCount())
            .map(
                position -> {
                  long[] index = KnownShapes.index(position, result);
                  long at = 0;
                  for (int axis = 0; axis < index.length; axis++) {
                    at += index[axis] % x.shape().dim(axis) * strides[axis];
                  }
                  return (int) at;
                }));
  }

  /** {@code Flatten}. */
  public static Optional<Operand> flatten(NodeContext node) {
    return node.known(0)
        .flatMap(
            x -> {
              long[] dims = x.shape().toArray();
              long given = node.attributes().integer("axis", 1);
              long axis = given < 0 ? given + dims.length : given;
              if (axis < 0 || axis > dims.length) {
                return Optional.empty();
              }
              long rows =
                  IntStream.range(0, (int) axis).mapToLong(i -> dims[i]).reduce(1, (a, b) -> a * b);
              long columns =
                  IntStream.range((int) axis, dims.length)
                      .mapToLong(i -> dims[i])
                      .reduce(1, (a, b) -> a * b);
              return Optional.of(x.withShape(Shape.of(rows, columns)));
            });
  }

  /** {@code Pad} of one axis with a constant that is known, since version 11. */
  public static Optional<Operand> pad(NodeContext node) {
    Optional<Known> x = node.known(0).filter(known -> known.shape().rank() == 1);
    Optional<List<Long>> widths = node.version() < 11 ? Optional.empty() : node.integers(1);
    boolean isPlain = node.attributes().string("mode", "constant").equals("constant");
    if (x.isEmpty() || widths.isEmpty() || widths.get().size() != 2 || !isPlain || node.has(3)) {
      return Optional.empty();
    }
    Optional<Element> value = padding(node, x.get());
    long before = widths.get().get(0);
    long after = widths.get().get(1);
    long count = x.get().elements().size() + before + after;
    boolean isSmall = Math.abs(before) <= Known.LIMIT && Math.abs(after) <= Known.LIMIT;
    if (value.isEmpty() || !isSmall || count < 0 || count > Known.LIMIT) {
      return Optional.empty();
    }
    List<Element> elements = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      long at = i - before;
      boolean isInside = at >= 0 && at < x.get().elements().size();
      elements.add(isInside ? x.get().elements().get((int) at) : value.get());
    }
    return Optional.of(new Known(x.get().dtype(), Shape.of(count), elements));
  }

  private static Optional<Element> padding(NodeContext node, Known x) {
    if (node.has(2)) {
      return node.known(2)
          .filter(value -> value.elements().size() == 1 && value.dtype().equals(x.dtype()))
          .map(value -> value.elements().getFirst());
    }
    return Optional.of(x.dtype().isFloat() ? new Element.Real(0) : Element.of(0));
  }
}
