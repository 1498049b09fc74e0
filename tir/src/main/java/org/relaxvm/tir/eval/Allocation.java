package org.relaxvm.tir.eval;

import java.util.Arrays;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.DTypes;

/** Memory of the buffers that blocks allocate. */
final class Allocation {
  private Allocation() {}

  /** New memory that shows where it is read before it is written. The caller closes its tensor. */
  static BoundBuffer of(Buffer buffer, Expressions expressions) {
    long[] dims = expressions.values(buffer.shape());
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] < 0) {
        throw new CallException(
            ErrorKind.VALUE,
            "the extent of axis "
                + axis
                + " of the buffer "
                + buffer
                + " to allocate is "
                + dims[axis]
                + "; it must not be negative");
      }
    }
    boolean compact = buffer.strides().isEmpty();
    requireAllocatable(buffer, dims, elementCount(dims));
    long[] strides = compact ? rowMajor(dims) : expressions.values(buffer.strides());
    long offset = expressions.value(buffer.elemOffset());
    Tensor memory = memory(buffer, dims, strides, offset);
    try {
      memory.fill(pattern(buffer.dtype()));
      return BoundBuffer.unwritten(buffer, memory.stridedView(Shape.of(dims), strides, offset));
    } finally {
      memory.close();
    }
  }

  private static Tensor memory(Buffer buffer, long[] dims, long[] strides, long offset) {
    long size = -1;
    try {
      size = Math.addExact(offset, reach(dims, strides));
    } catch (ArithmeticException e) {
      // What does not fit a long does not fit an array either.
    }
    requireAllocatable(buffer, dims, size);
    return Tensor.zeros(buffer.dtype(), Shape.of(size));
  }

  private static void requireAllocatable(Buffer buffer, long[] dims, long elements) {
    if (elements < 0 || elements > Integer.MAX_VALUE) {
      throw new CallException(
          ErrorKind.MEMORY,
          "the buffer "
              + buffer
              + " to allocate needs "
              + (elements < 0 ? "a number of elements that does not fit" : elements + " elements")
              + " for its shape "
              + Arrays.toString(dims)
              + "; there may be at most "
              + Integer.MAX_VALUE);
    }
  }

  /** -1 when it does not fit 63 bits. */
  private static long elementCount(long[] dims) {
    long count = 1;
    for (long dim : dims) {
      if (dim == 0) {
        return 0;
      }
      boolean fits = count >= 0 && count <= Long.MAX_VALUE / dim;
      count = fits ? count * dim : -1;
    }
    return count;
  }

  /** The elements from the first to the last, both included; none when an extent is 0. */
  private static long reach(long[] dims, long[] strides) {
    long reach = 1;
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] == 0) {
        return 0;
      }
      long steps = Math.multiplyExact(dims[axis] - 1, Math.max(0, strides[axis]));
      reach = Math.addExact(reach, steps);
    }
    return reach;
  }

  private static long[] rowMajor(long[] dims) {
    long[] strides = new long[dims.length];
    // Of no elements, strides do not matter, but may not fit.
    long step = elementCount(dims) == 0 ? 0 : 1;
    for (int axis = dims.length - 1; axis >= 0; axis--) {
      strides[axis] = step;
      step *= dims[axis];
    }
    return strides;
  }

  private static double pattern(DType dtype) {
    if (dtype.isFloat()) {
      return Double.NaN;
    }
    if (dtype.equals(DType.BOOL)) {
      return 1;
    }
    return DTypes.isUnsigned(dtype)
        ? Math.scalb(1.0, dtype.bits() - 1)
        : -Math.scalb(1.0, dtype.bits() - 1);
  }
}
