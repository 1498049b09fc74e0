package org.relaxvm.vmcore.decode;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.ScalarTag;

/** Collects the constants that operands refer to: null, pool entries, functions, immediates. */
final class ConstantTable {
  /** The index of null. */
  static final int NULL = 0;

  private @Nullable Object[] refs = new Object[16];
  private long[] bits = new long[16];
  private int size = 1;
  private final Map<Long, Integer> immediates = new HashMap<>();

  /** Adds a value, a scalar boxed, and gives its index. */
  int add(@Nullable Object value) {
    if (size == refs.length) {
      refs = Arrays.copyOf(refs, size * 2);
      bits = Arrays.copyOf(bits, size * 2);
    }
    ScalarTag tag = ScalarTag.of(value);
    refs[size] = tag != null ? tag : value;
    bits[size] = tag != null && value != null ? tag.bitsOf(value) : 0;
    return size++;
  }

  /** The index of an integer, which is added once. */
  int immediate(long value) {
    return immediates.computeIfAbsent(value, this::add);
  }

  @Nullable Object ref(int index) {
    return refs[index];
  }

  long scalar(int index) {
    return bits[index];
  }

  @Nullable Object[] refs() {
    return Arrays.copyOf(refs, size);
  }

  long[] bits() {
    return Arrays.copyOf(bits, size);
  }
}
