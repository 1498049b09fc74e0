package org.relaxvm.interoponnx.operator.known;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;

/** Operators that read and write elements at indices, on known tensors. */
public final class KnownLookups {
  private KnownLookups() {}

  /** {@code GatherElements}. */
  public static Optional<Operand> gatherElements(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Known> indices = node.known(1);
    if (x.isEmpty() || indices.isEmpty()) {
      return Optional.empty();
    }
    int axis = KnownShapes.axis(node, node.attributes().integer("axis", 0), x.get().shape().rank());
    return positions(x.get().shape(), indices.get(), axis)
        .map(at -> x.get().select(indices.get().shape(), IntStream.of(at)));
  }

  /** {@code ScatterElements} without a reduction. */
  public static Optional<Operand> scatterElements(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Known> indices = node.known(1);
    Optional<Known> updates = node.known(2);
    boolean isPlain = node.attributes().string("reduction", "none").equals("none");
    if (x.isEmpty()
        || indices.isEmpty()
        || updates.isEmpty()
        || !isPlain
        || !updates.get().dtype().equals(x.get().dtype())
        || !updates.get().shape().equals(indices.get().shape())) {
      return Optional.empty();
    }
    int axis = KnownShapes.axis(node, node.attributes().integer("axis", 0), x.get().shape().rank());
    return positions(x.get().shape(), indices.get(), axis)
        .map(at -> replaced(x.get(), at, updates.get().elements()));
  }

  private static Known replaced(Known x, int[] at, List<Element> updates) {
    List<Element> elements = new ArrayList<>(x.elements());
    for (int i = 0; i < at.length; i++) {
      elements.set(at[i], updates.get(i));
    }
    return new Known(x.dtype(), x.shape(), elements);
  }

  /**
   * Row-major positions of elements at their own index but for an axis; empty when one is wrong.
   */
  private static Optional<int[]> positions(Shape shape, Known indices, int axis) {
    Optional<List<Long>> numbers = indices.longs();
    if (numbers.isEmpty() || indices.shape().rank() != shape.rank()) {
      return Optional.empty();
    }
    long[] strides = KnownShapes.strides(shape);
    int[] positions = new int[numbers.get().size()];
    for (int i = 0; i < positions.length; i++) {
      long[] index = KnownShapes.index(i, indices.shape());
      index[axis] = fromStart(numbers.get().get(i), shape.dim(axis));
      long at = 0;
      for (int n = 0; n < index.length; n++) {
        if (index[n] < 0 || index[n] >= shape.dim(n)) {
          return Optional.empty();
        }
        at += index[n] * strides[n];
      }
      positions[i] = (int) at;
    }
    return Optional.of(positions);
  }

  private static long fromStart(long index, long extent) {
    return index < 0 ? index + extent : index;
  }

  /** {@code GatherND} without batches. */
  public static Optional<Operand> gatherNd(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Known> indices = node.known(1);
    if (x.isEmpty() || indices.isEmpty() || node.attributes().integer("batch_dims", 0) != 0) {
      return Optional.empty();
    }
    return slices(x.get().shape(), indices.get())
        .filter(slices -> slices.count() <= Known.LIMIT)
        .map(slices -> x.get().select(slices.shape, IntStream.of(slices.positions())));
  }

  /** {@code ScatterND} without a reduction. */
  public static Optional<Operand> scatterNd(NodeContext node) {
    Optional<Known> x = node.known(0);
    Optional<Known> indices = node.known(1);
    Optional<Known> updates = node.known(2);
    boolean isPlain = node.attributes().string("reduction", "none").equals("none");
    if (x.isEmpty() || indices.isEmpty() || updates.isEmpty() || !isPlain) {
      return Optional.empty();
    }
    return slices(x.get().shape(), indices.get())
        .filter(slices -> slices.shape.equals(updates.get().shape()))
        .filter(slices -> updates.get().dtype().equals(x.get().dtype()))
        .map(slices -> replaced(x.get(), slices.positions(), updates.get().elements()));
  }

  /**
   * Slices that lines of indices name.
   *
   * @param shape of all together
   * @param starts the position of the first element of each
   * @param width elements of each
   */
  private record Slices(Shape shape, int[] starts, int width) {
    long count() {
      return (long) starts.length * width;
    }

    int[] positions() {
      return IntStream.of(starts).flatMap(at -> IntStream.range(at, at + width)).toArray();
    }
  }

  private static Optional<Slices> slices(Shape shape, Known indices) {
    Optional<List<Long>> numbers = indices.longs();
    int outer = indices.shape().rank() - 1;
    if (numbers.isEmpty() || outer < 0 || indices.shape().dim(outer) > shape.rank()) {
      return Optional.empty();
    }
    int length = (int) indices.shape().dim(outer);
    long[] strides = KnownShapes.strides(shape);
    long[] dims =
        IntStream.concat(
                IntStream.range(0, outer), IntStream.range(outer, outer + shape.rank() - length))
            .mapToLong(
                axis -> axis < outer ? indices.shape().dim(axis) : shape.dim(axis - outer + length))
            .toArray();
    long width = 1;
    for (int axis = length; axis < shape.rank(); axis++) {
      width *= shape.dim(axis);
    }
    int lines = length == 0 ? 0 : numbers.get().size() / length;
    int[] starts = new int[lines];
    for (int line = 0; line < lines; line++) {
      for (int n = 0; n < length; n++) {
        long index = fromStart(numbers.get().get(line * length + n), shape.dim(n));
        if (index < 0 || index >= shape.dim(n)) {
          return Optional.empty();
        }
        starts[line] += (int) (index * strides[n]);
      }
    }
    return length == 0 || shape.elementCount() == 0
        ? Optional.empty()
        : Optional.of(new Slices(Shape.of(dims), starts, (int) width));
  }

  /** {@code NonZero}. */
  public static Optional<Operand> nonZero(NodeContext node) {
    return node.known(0).filter(Known::isConstant).flatMap(KnownLookups::nonZero);
  }

  private static Optional<Operand> nonZero(Known x) {
    double[] values = x.reals().orElseThrow();
    int[] found = IntStream.range(0, values.length).filter(i -> values[i] != 0).toArray();
    int rank = x.shape().rank();
    List<Element> elements = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      for (int position : found) {
        elements.add(Element.of(KnownShapes.index(position, x.shape())[axis]));
      }
    }
    return elements.size() > Known.LIMIT
        ? Optional.empty()
        : Optional.of(new Known(DType.INT64, Shape.of(rank, found.length), elements));
  }
}
