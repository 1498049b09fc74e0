package org.relaxvm.api;

import java.util.Arrays;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** Arithmetic on strides, in elements. */
final class Strides {
  private Strides() {}

  static long[] compact(Shape shape) {
    long[] strides = new long[shape.rank()];
    long step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      strides[axis] = step;
      step *= Math.max(1, shape.dim(axis));
    }
    return strides;
  }

  static long compact(Shape shape, int axis) {
    long step = 1;
    for (int inner = shape.rank() - 1; inner > axis; inner--) {
      step *= Math.max(1, shape.dim(inner));
    }
    return step;
  }

  /** Whether the strides are those of a compact tensor; axes of extent 1 may have any. */
  static boolean isCompact(Shape shape, long[] strides) {
    if (shape.elementCount() == 0) {
      return true;
    }
    long step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      if (shape.dim(axis) != 1) {
        if (strides[axis] != step) {
          return false;
        }
        step *= shape.dim(axis);
      }
    }
    return true;
  }

  /**
   * The byte offset of a strided view in the storage of {@code tensor}, after checking its reach.
   */
  static long checkedOffset(Tensor tensor, Shape shape, long[] strides, long elementOffset) {
    if (strides.length != shape.rank()) {
      throw new CallException(
          ErrorKind.VALUE, "shape " + shape + " needs as many strides, but got " + strides.length);
    }
    long elementBytes = tensor.dtype().elementByteSize();
    try {
      long offset =
          Math.addExact(tensor.byteOffset(), Math.multiplyExact(elementOffset, elementBytes));
      long lowest = 0;
      long highest = 0;
      for (int axis = 0; axis < strides.length; axis++) {
        long reach = Math.multiplyExact(Math.max(0, shape.dim(axis) - 1), strides[axis]);
        lowest = Math.addExact(lowest, Math.min(0, reach));
        highest = Math.addExact(highest, Math.max(0, reach));
      }
      long firstByte = Math.addExact(offset, Math.multiplyExact(lowest, elementBytes));
      long endByte =
          Math.addExact(offset, Math.multiplyExact(Math.addExact(highest, 1), elementBytes));
      boolean empty = shape.elementCount() == 0;
      boolean inside = firstByte >= 0 && endByte <= tensor.storage().byteSize();
      if (empty ? offset >= 0 && offset <= tensor.storage().byteSize() : inside) {
        return offset;
      }
    } catch (ArithmeticException e) {
      // Falls through to the one message: a view whose reach does not fit 63 bits is outside.
    }
    throw new CallException(
        ErrorKind.VALUE,
        "a view with shape "
            + shape
            + ", strides "
            + Arrays.toString(strides)
            + " and offset "
            + elementOffset
            + " reaches outside of the storage of "
            + tensor.storage().byteSize()
            + " bytes");
  }

  /** Walks the elements of a strided tensor in row-major order. */
  static final class Cursor {
    private final long[] dims;
    private final long[] byteStrides;
    private final long[] index;
    private long byteOffset;

    Cursor(Shape shape, long[] strides, int elementBytes) {
      this.dims = shape.toArray();
      this.byteStrides = new long[strides.length];
      for (int axis = 0; axis < strides.length; axis++) {
        byteStrides[axis] = strides[axis] * elementBytes;
      }
      this.index = new long[dims.length];
    }

    /** Offset of the current element from the first one, in bytes. */
    long byteOffset() {
      return byteOffset;
    }

    /** Goes to the next element; after the last one, back to the first. */
    void advance() {
      for (int axis = dims.length - 1; axis >= 0; axis--) {
        byteOffset += byteStrides[axis];
        if (++index[axis] < dims[axis]) {
          return;
        }
        byteOffset -= byteStrides[axis] * dims[axis];
        index[axis] = 0;
      }
    }
  }
}
