package org.relaxvm.interoptvm.call;

import java.util.Arrays;
import org.relaxvm.api.Tensor;

/**
 * Stands in for a tensor on which compiled code cannot work where it lies: one with strides, in
 * Java's heap, or off the boundary of 64 bytes. What the code wrote goes back after the call.
 */
record TensorCopy(Tensor original, Tensor copy, boolean writable) {
  static TensorCopy of(Tensor original) {
    Tensor copy = original.toHost();
    boolean writable = !original.isConstant() && !original.segment().isReadOnly();
    return new TensorCopy(original, copy, writable);
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
      if (writable && isChanged()) {
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

  private boolean isChanged() {
    return !original.isContiguous() || original.segment().mismatch(copy.segment()) >= 0;
  }
}
