package org.relaxvm.api;

/** Walks the elements of a strided tensor in row-major order. */
final class StridedCursor {
  private final long[] dims;
  private final long[] byteStrides;
  private final long[] index;
  private long byteOffset;

  StridedCursor(Shape shape, long[] strides, int elementBytes) {
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
