package org.relaxvm.api;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/**
 * Copies between host tensors with strides, in row-major order of each side: runs that lie together
 * on both sides are copied at once.
 */
final class StridedCopy {
  private StridedCopy() {}

  /** Copies; shapes are equal, or one side is contiguous and as long as the other. */
  static void copy(Tensor source, Tensor target) {
    int elementBytes = source.dtype().elementByteSize();
    if (target.dtype().elementByteSize() != elementBytes) {
      throw new CallException(
          ErrorKind.VALUE,
          "cannot copy strided " + source + " to " + target + ": element sizes differ");
    }
    source.requireLive();
    target.requireLive();
    long count = source.elementCount();
    if (count == 0) {
      return;
    }
    long run = Math.min(runOf(source), runOf(target));
    StridedCursor from = cursor(source, run, elementBytes);
    StridedCursor to = cursor(target, run, elementBytes);
    // Offsets are relative to the first element; a negative stride reaches in front of it, which
    // the whole storage covers but the segment from the first element on does not.
    MemorySegment fromAll = HostDevice.segmentOf(source.storage().memory());
    MemorySegment toAll = HostDevice.segmentOf(target.storage().memory());
    long runBytes = run * elementBytes;
    for (long i = count / run; i > 0; i--) {
      copyRun(
          fromAll,
          source.byteOffset() + from.byteOffset(),
          toAll,
          target.byteOffset() + to.byteOffset(),
          runBytes);
      from.advance();
      to.advance();
    }
  }

  /** The number of elements, in row-major order, that lie together wherever one starts. */
  private static long runOf(Tensor tensor) {
    if (tensor.isContiguous()) {
      return tensor.elementCount();
    }
    long run = 1;
    for (int axis = tensor.shape().rank() - 1; axis >= 0; axis--) {
      long dim = tensor.shape().dim(axis);
      if (dim != 1 && tensor.stride(axis) != run) {
        break;
      }
      run *= dim;
    }
    return run;
  }

  /** Walks from run to run. */
  private static StridedCursor cursor(Tensor tensor, long run, int elementBytes) {
    if (tensor.isContiguous()) {
      Shape runs = Shape.of(tensor.elementCount() / run);
      return new StridedCursor(runs, new long[] {run}, elementBytes);
    }
    int outer = tensor.shape().rank();
    for (long inner = 1; inner < run; outer--) {
      inner *= tensor.shape().dim(outer - 1);
    }
    long[] dims = new long[outer];
    long[] strides = new long[outer];
    for (int axis = 0; axis < outer; axis++) {
      dims[axis] = tensor.shape().dim(axis);
      strides[axis] = tensor.stride(axis);
    }
    return new StridedCursor(Shape.ofOwned(dims), strides, elementBytes);
  }

  private static void copyRun(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long byteSize) {
    // A bulk copy of a few bytes costs many times what these do.
    if (byteSize == 4) {
      to.set(
          ValueLayout.JAVA_INT_UNALIGNED,
          toOffset,
          from.get(ValueLayout.JAVA_INT_UNALIGNED, fromOffset));
    } else if (byteSize == 8) {
      to.set(
          ValueLayout.JAVA_LONG_UNALIGNED,
          toOffset,
          from.get(ValueLayout.JAVA_LONG_UNALIGNED, fromOffset));
    } else if (byteSize == 2) {
      to.set(
          ValueLayout.JAVA_SHORT_UNALIGNED,
          toOffset,
          from.get(ValueLayout.JAVA_SHORT_UNALIGNED, fromOffset));
    } else {
      MemorySegment.copy(from, fromOffset, to, toOffset, byteSize);
    }
  }
}
