package org.relaxvm.vmcore.executable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.Tensor;

/**
 * A tensor as a key: equal when dtype, shape and bytes are. The tensor must not be written. A large
 * one is equal to itself only: comparing it would read weights that are in a file.
 */
final class TensorKey {
  /** Bytes of a tensor that is compared by its elements. */
  private static final long COMPARED = 1 << 16;

  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Tensor tensor;
  private final long hash;

  /** The key of a compact tensor on the host. */
  TensorKey(Tensor tensor) {
    this.tensor = tensor;
    this.hash = isLarge(tensor) ? tensor.hashCode() : hash(tensor.segment());
  }

  private static boolean isLarge(Tensor tensor) {
    return tensor.byteSize() > COMPARED;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorKey key
        && hash == key.hash
        && (tensor.equals(key.tensor) || (!isLarge(tensor) && hasElementsOf(key.tensor)));
  }

  private boolean hasElementsOf(Tensor other) {
    return tensor.dtype().equals(other.dtype())
        && tensor.shape().equals(other.shape())
        && tensor.segment().mismatch(other.segment()) < 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash) * 31 + tensor.shape().hashCode();
  }

  private static long hash(MemorySegment bytes) {
    long size = bytes.byteSize();
    long hash = size;
    long at = 0;
    for (; at + 8 <= size; at += 8) {
      hash = mix(hash, bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
    }
    for (; at < size; at++) {
      hash = mix(hash, bytes.get(ValueLayout.JAVA_BYTE, at));
    }
    return hash;
  }

  private static long mix(long hash, long word) {
    long mixed = (hash ^ word) * MULTIPLIER;
    return mixed ^ (mixed >>> 32);
  }
}
