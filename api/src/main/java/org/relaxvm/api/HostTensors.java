package org.relaxvm.api;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Tensors in host memory: making them from Java data and reading their elements. */
final class HostTensors {
  private HostTensors() {}

  static Tensor zeros(DType dtype, Shape shape) {
    long bytes = dtype.byteSize(shape.elementCount());
    MemorySegment memory = HostDevice.allocateNative(Arena.ofAuto(), bytes, HostDevice.ALIGNMENT);
    return Tensor.wrap(memory, dtype, shape);
  }

  static Tensor copyOf(MemorySegment values, DType dtype, Shape shape) {
    long bytes = dtype.byteSize(shape.elementCount());
    if (values.byteSize() != bytes) {
      long given = values.byteSize() / dtype.elementByteSize();
      throw new CallException(
          ErrorKind.VALUE,
          "shape "
              + shape
              + " has "
              + shape.elementCount()
              + " elements, but the array has "
              + given);
    }
    Tensor tensor = zeros(dtype, shape);
    MemorySegment.copy(values, 0, tensor.segment(), 0, bytes);
    return tensor;
  }

  static float[] toFloatArray(Tensor tensor) {
    float[] values = new float[arrayLength(tensor)];
    ElementReader.of(tensor).forEachDouble((i, value) -> values[i] = (float) value);
    return values;
  }

  static double[] toDoubleArray(Tensor tensor) {
    double[] values = new double[arrayLength(tensor)];
    ElementReader.of(tensor).forEachDouble((i, value) -> values[i] = value);
    return values;
  }

  static long[] toLongArray(Tensor tensor) {
    long[] values = new long[arrayLength(tensor)];
    ElementReader.of(tensor).forEachLong((i, value) -> values[i] = value);
    return values;
  }

  /** Copies element by element in row-major order of each side; element sizes must be equal. */
  static void copyStrided(Tensor source, Tensor target) {
    int elementBytes = source.dtype().elementByteSize();
    if (target.dtype().elementByteSize() != elementBytes) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot copy strided " + source + " to " + target + ": element sizes differ");
    }
    source.requireLive();
    target.requireLive();
    StridedCursor fromCursor = new StridedCursor(source.shape(), source.strides(), elementBytes);
    StridedCursor toCursor = new StridedCursor(target.shape(), target.strides(), elementBytes);
    // Offsets are relative to the first element; a negative stride reaches in front of it, which
    // the whole storage covers but the segment from the first element on does not.
    MemorySegment fromAll = HostDevice.segmentOf(source.storage().memory());
    MemorySegment toAll = HostDevice.segmentOf(target.storage().memory());
    long count = source.elementCount();
    for (long i = 0; i < count; i++) {
      MemorySegment.copy(
          fromAll,
          source.byteOffset() + fromCursor.byteOffset(),
          toAll,
          target.byteOffset() + toCursor.byteOffset(),
          elementBytes);
      fromCursor.advance();
      toCursor.advance();
    }
  }

  private static int arrayLength(Tensor tensor) {
    long count = tensor.elementCount();
    if (count > Integer.MAX_VALUE - 8) {
      throw new CallException(
          ErrorKind.VALUE,
          "a tensor of " + count + " elements does not fit a Java array; use segment()");
    }
    return (int) count;
  }
}
