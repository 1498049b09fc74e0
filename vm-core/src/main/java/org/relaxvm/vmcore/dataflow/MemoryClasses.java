package org.relaxvm.vmcore.dataflow;

import java.util.Arrays;

/** Disjoint sets of values that may share memory. */
final class MemoryClasses {
  /** The memory that was there before the function, or that unknown functions have seen. */
  static final int OUTSIDE = 0;

  private int[] parents = new int[64];
  private int count = 1;

  /** A new class. */
  int add() {
    if (count == parents.length) {
      parents = Arrays.copyOf(parents, 2 * count);
    }
    parents[count] = count;
    return count++;
  }

  /** The representative of a class. */
  int find(int member) {
    int root = member;
    while (parents[root] != root) {
      root = parents[root];
    }
    int at = member;
    while (parents[at] != root) {
      int next = parents[at];
      parents[at] = root;
      at = next;
    }
    return root;
  }

  /** Makes two classes one. */
  void join(int one, int other) {
    int a = find(one);
    int b = find(other);
    parents[Math.max(a, b)] = Math.min(a, b);
  }
}
