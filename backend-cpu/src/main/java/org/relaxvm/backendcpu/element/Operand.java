package org.relaxvm.backendcpu.element;

import java.lang.foreign.MemorySegment;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;

/**
 * A host tensor as kernels see it: memory, a place in it, and the way along each axis.
 *
 * @param memory the whole block; a negative stride may lead in front of the first element
 * @param offset of the first element, in bytes
 * @param dims extents; shared, not written
 * @param strides in bytes, one per axis; shared, not written
 */
public record Operand(MemorySegment memory, long offset, long[] dims, long[] strides) {
  /** The operand of a tensor. */
  public static Operand of(Tensor tensor) {
    int bytes = tensor.dtype().elementByteSize();
    long[] strides = tensor.strides();
    for (int axis = 0; axis < strides.length; axis++) {
      strides[axis] *= bytes;
    }
    return new Operand(
        HostDevice.segmentOf(tensor.storage().memory()),
        tensor.byteOffset(),
        tensor.shape().toArray(),
        strides);
  }

  /** The number of axes. */
  public int rank() {
    return dims.length;
  }

  /** The extent of an axis. */
  public long dim(int axis) {
    return dims[axis];
  }

  /** The distance of neighbours along an axis, in bytes. */
  public long stride(int axis) {
    return strides[axis];
  }

  /** This operand stretched to a shape that it broadcasts to, by strides of 0. */
  public Operand broadcastTo(Shape shape) {
    int missing = shape.rank() - dims.length;
    long[] stretched = new long[shape.rank()];
    for (int axis = missing; axis < stretched.length; axis++) {
      stretched[axis] = dims[axis - missing] == 1 ? 0 : strides[axis - missing];
    }
    return new Operand(memory, offset, shape.toArray(), stretched);
  }

  /** Some axes of this operand, in the given order, at index 0 of the others. */
  public Operand axes(int... axes) {
    long[] chosenDims = new long[axes.length];
    long[] chosenStrides = new long[axes.length];
    for (int i = 0; i < axes.length; i++) {
      chosenDims[i] = dims[axes[i]];
      chosenStrides[i] = strides[axes[i]];
    }
    return new Operand(memory, offset, chosenDims, chosenStrides);
  }
}
