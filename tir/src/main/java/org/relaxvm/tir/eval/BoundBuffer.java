package org.relaxvm.tir.eval;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.scalar.ScalarMemory;

/** A buffer with its memory. */
final class BoundBuffer {
  private final Buffer buffer;
  private final Tensor tensor;
  private final MemorySegment memory;
  private final long[] extents;
  private final long[] strides;

  /** By element of the memory; null when all count as written. */
  private @Nullable BitSet written;

  private BoundBuffer(Buffer buffer, Tensor tensor, @Nullable BitSet written) {
    this.buffer = buffer;
    this.tensor = tensor;
    this.memory = HostDevice.segmentOf(tensor.storage().memory());
    this.extents = tensor.shape().toArray();
    this.strides = tensor.strides();
    this.written = written;
  }

  /** The memory of a caller, who may have written it. */
  static BoundBuffer of(Buffer buffer, Tensor tensor) {
    return new BoundBuffer(buffer, tensor, null);
  }

  /** Memory that nobody has written. */
  static BoundBuffer unwritten(Buffer buffer, Tensor tensor) {
    return new BoundBuffer(buffer, tensor, new BitSet());
  }

  Buffer buffer() {
    return buffer;
  }

  Tensor tensor() {
    return tensor;
  }

  /** From here on everything counts as written. */
  void handOut() {
    written = null;
  }

  long load(long[] indices) {
    long at = offset("read", indices);
    if (written != null && !written.get(element(at))) {
      throw new CallException(
          ErrorKind.VALUE,
          "a read of the buffer "
              + buffer
              + " at "
              + Arrays.toString(indices)
              + ", which was never written; its shape is "
              + tensor.shape());
    }
    return ScalarMemory.read(memory, at, buffer.dtype());
  }

  void store(long[] indices, long value) {
    long at = offset("write", indices);
    if (tensor.isConstant() || memory.isReadOnly()) {
      throw new CallException(
          ErrorKind.VALUE,
          "a write of the buffer "
              + buffer
              + ", which "
              + (tensor.isConstant() ? "is a constant" : "has read-only memory")
              + "; pass a copy, such as toHost() gives");
    }
    if (written != null) {
      written.set(element(at));
    }
    ScalarMemory.write(memory, at, buffer.dtype(), value);
  }

  private int element(long at) {
    return Math.toIntExact(at / buffer.dtype().elementByteSize());
  }

  private long offset(String access, long[] indices) {
    long at = 0;
    for (int axis = 0; axis < indices.length; axis++) {
      long extent = extents[axis];
      if (indices[axis] < 0 || indices[axis] >= extent) {
        throw new CallException(
            ErrorKind.INDEX,
            "a "
                + access
                + " of the buffer "
                + buffer
                + " at "
                + Arrays.toString(indices)
                + ": the index "
                + indices[axis]
                + " of axis "
                + axis
                + " is outside of its extent "
                + extent
                + "; the shape is "
                + tensor.shape());
      }
      at += indices[axis] * strides[axis];
    }
    return tensor.byteOffset() + at * buffer.dtype().elementByteSize();
  }
}
