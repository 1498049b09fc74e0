package org.relaxvm.vmcore.executable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** A tensor as a key: equal when dtype, shape and bytes are. The tensor must not be written. */
final class TensorKey {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final DType dtype;
  private final Shape shape;
  private final MemorySegment bytes;
  private final long hash;

  /** The key of a compact tensor on the host. */
  TensorKey(Tensor tensor) {
    dtype = tensor.dtype();
    shape = tensor.shape();
    bytes = tensor.segment();
    hash = hash(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorKey key
        && hash == key.hash
        && dtype.equals(key.dtype)
        && shape.equals(key.shape)
        && bytes.mismatch(key.bytes) < 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(hash) * 31 + shape.hashCode();
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
