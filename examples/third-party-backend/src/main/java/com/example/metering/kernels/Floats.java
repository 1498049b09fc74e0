package com.example.metering.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.Shape;

/** The elements of a float32 tensor, numbered in row-major order. */
record Floats(Shape shape, MemorySegment bytes) {
  // Unaligned, since blocks are Java arrays of bytes.
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  float get(long element) {
    return bytes.getAtIndex(FLOAT, element);
  }

  void set(long element, float value) {
    bytes.setAtIndex(FLOAT, element, value);
  }

  int rank() {
    return shape.rank();
  }

  long dim(int axis) {
    return shape.dim(axis);
  }

  long count() {
    return shape.elementCount();
  }
}
