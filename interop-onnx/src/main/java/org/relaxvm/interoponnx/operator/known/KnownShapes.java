package org.relaxvm.interoponnx.operator.known;

import java.util.Optional;
import java.util.stream.IntStream;
import org.relaxvm.api.Shape;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Known;

/** Shapes of known tensors: broadcasting and row-major positions. */
final class KnownShapes {
  private KnownShapes() {}

  /** The shape of two that broadcast; empty when they do not, or the result is too large. */
  static Optional<Shape> broadcast(Shape a, Shape b) {
    int rank = Math.max(a.rank(), b.rank());
    long[] dims = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      long x = aligned(a, axis, rank);
      long y = aligned(b, axis, rank);
      if (x != y && x != 1 && y != 1) {
        return Optional.empty();
      }
      dims[axis] = x == 1 ? y : x;
    }
    Shape shape = Shape.of(dims);
    return shape.elementCount() <= Known.LIMIT ? Optional.of(shape) : Optional.empty();
  }

  /** An axis as a number from 0; a tensor without axes has none. */
  static int axis(NodeContext node, long axis, int rank) {
    if (rank == 0) {
      throw node.unsupported("there is no axis " + axis + " of a tensor without axes", "");
    }
    return node.axis(axis, rank);
  }

  private static long aligned(Shape shape, int axis, int rank) {
    int own = axis - (rank - shape.rank());
    return own < 0 ? 1 : shape.dim(own);
  }

  /** The tensor in a larger shape that it broadcasts to. */
  static Known expanded(Known known, Shape target) {
    if (known.shape().equals(target)) {
      return known;
    }
    long[] strides = strides(known.shape());
    int missing = target.rank() - known.shape().rank();
    return known.select(
        target,
        IntStream.range(0, (int) target.elementCount())
            .map(
                position -> {
                  long[] index = index(position, target);
                  long at = 0;
                  for (int axis = 0; axis < strides.length; axis++) {
                    if (known.shape().dim(axis) != 1) {
                      at += index[axis + missing] * strides[axis];
                    }
                  }
                  return (int) at;
                }));
  }

  /** Row-major strides in elements. */
  static long[] strides(Shape shape) {
    long[] strides = new long[shape.rank()];
    long stride = 1;
    for (int axis = strides.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= shape.dim(axis);
    }
    return strides;
  }

  /** The index of a row-major position. */
  static long[] index(long position, Shape shape) {
    long[] index = new long[shape.rank()];
    long left = position;
    for (int axis = index.length - 1; axis >= 0; axis--) {
      index[axis] = left % shape.dim(axis);
      left /= shape.dim(axis);
    }
    return index;
  }
}
