package org.relaxvm.interoponnx.proto;

import java.util.Arrays;

/** A list of numbers that grows. Not thread-safe. */
final class LongList {
  private long[] elements = new long[8];
  private int size;

  void add(long element) {
    if (size == elements.length) {
      elements = Arrays.copyOf(elements, size * 2);
    }
    elements[size++] = element;
  }

  long[] toArray() {
    return Arrays.copyOf(elements, size);
  }
}
