package org.relaxvm.interoptvm.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;

/**
 * Stands in for a tensor on which compiled code cannot work where it lies: one with strides, in
 * Java's heap, or off the boundary of 64 bytes. What the code wrote goes back after the call.
 *
 * @param before what the copy was made with; null when the original cannot be written. The original
 *     does not tell: an output that shares its memory may have changed it
 */
record TensorCopy(Tensor original, Tensor copy, @Nullable MemorySegment before) {
  static TensorCopy of(Tensor original) {
    Tensor copy = original.toHost();
    boolean writable =
        !original.isConstant() && !HostDevice.segmentOf(original.storage().memory()).isReadOnly();
    return new TensorCopy(original, copy, writable ? bytesOf(copy) : null);
  }

  /** Whether it stands in for the same elements as another one would. */
  boolean standsFor(Tensor tensor) {
    return original.storage().memory().equals(tensor.storage().memory())
        && original.byteOffset() == tensor.byteOffset()
        && original.dtype().equals(tensor.dtype())
        && original.shape().equals(tensor.shape())
        && Arrays.equals(original.strides(), tensor.strides());
  }

  /** Brings back what was written; inputs and constants are left alone. */
  void finish() {
    try {
      if (before != null && before.mismatch(copy.segment()) >= 0) {
        copy.copyInto(original);
      }
    } finally {
      copy.close();
    }
  }

  /** Gives the memory back without what was written. */
  void drop() {
    copy.close();
  }

  private static MemorySegment bytesOf(Tensor tensor) {
    MemorySegment bytes = tensor.segment();
    return HostDevice.allocateNative(Arena.ofAuto(), bytes.byteSize(), 1).copyFrom(bytes);
  }
}
