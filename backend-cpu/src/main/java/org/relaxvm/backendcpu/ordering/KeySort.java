package org.relaxvm.backendcpu.ordering;

import java.util.Arrays;

/** Sorts indices by their keys; indices of equal keys stay in order. One thread's. */
final class KeySort {
  private static final int SMALL = 16;

  private long[] keys;
  private int[] indices;
  private long[] otherKeys = new long[0];
  private int[] otherIndices = new int[0];

  /** A sorter of up to {@code most} keys. */
  KeySort(int most) {
    this.keys = new long[most];
    this.indices = new int[most];
  }

  /** Where keys are put before, and are in order after sorting; another array each time. */
  long[] keys() {
    return keys;
  }

  /** Where the indices are in order after sorting; another array each time. */
  int[] indices() {
    return indices;
  }

  /** Sorts the first keys, whose indices are 0, 1, ... */
  void sort(int count) {
    for (int i = 0; i < count; i++) {
      indices[i] = i;
    }
    sortIndexed(count);
  }

  /**
   * Finds the indices of the smallest keys in sorted order, among the first {@code count}; for few
   * of many.
   */
  void select(int wanted, int count) {
    long[] heapKeys = Arrays.copyOf(keys, wanted);
    int[] heap = new int[wanted];
    for (int i = 0; i < wanted; i++) {
      heap[i] = i;
    }
    for (int root = wanted / 2 - 1; root >= 0; root--) {
      sink(heapKeys, heap, root);
    }
    for (int i = wanted; i < count && wanted > 0; i++) {
      // An equal key with a larger index is behind all that are there.
      if (keys[i] < heapKeys[0]) {
        heapKeys[0] = keys[i];
        heap[0] = i;
        sink(heapKeys, heap, 0);
      }
    }
    Arrays.sort(heap);
    for (int i = 0; i < wanted; i++) {
      // The indices ascend: no key is overwritten before it is read.
      keys[i] = keys[heap[i]];
      indices[i] = heap[i];
    }
    sortIndexed(wanted);
  }

  /** Restores a heap whose root is the last one in order. */
  private static void sink(long[] keys, int[] indices, int root) {
    int at = root;
    while (true) {
      int last = at;
      for (int child = 2 * at + 1; child <= 2 * at + 2 && child < keys.length; child++) {
        boolean behind =
            keys[child] > keys[last]
                || (keys[child] == keys[last] && indices[child] > indices[last]);
        last = behind ? child : last;
      }
      if (last == at) {
        return;
      }
      long key = keys[at];
      keys[at] = keys[last];
      keys[last] = key;
      int index = indices[at];
      indices[at] = indices[last];
      indices[last] = index;
      at = last;
    }
  }

  private void sortIndexed(int count) {
    for (int from = 0; from < count; from += SMALL) {
      insertionSort(from, Math.min(from + SMALL, count));
    }
    for (long width = SMALL; width < count; width *= 2) {
      if (otherKeys.length < count) {
        otherKeys = new long[keys.length];
        otherIndices = new int[keys.length];
      }
      for (long from = 0; from < count; from += 2 * width) {
        int middle = (int) Math.min(from + width, count);
        merge((int) from, middle, (int) Math.min(from + 2 * width, count));
      }
      long[] sortedKeys = otherKeys;
      int[] sortedIndices = otherIndices;
      otherKeys = keys;
      otherIndices = indices;
      keys = sortedKeys;
      indices = sortedIndices;
    }
  }

  private void insertionSort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long key = keys[i];
      int index = indices[i];
      int at = i;
      for (; at > from && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
        indices[at] = indices[at - 1];
      }
      keys[at] = key;
      indices[at] = index;
    }
  }

  private void merge(int from, int middle, int to) {
    int left = from;
    int right = middle;
    if (middle == to || keys[middle - 1] <= keys[middle]) {
      System.arraycopy(keys, from, otherKeys, from, to - from);
      System.arraycopy(indices, from, otherIndices, from, to - from);
      return;
    }
    for (int i = from; i < to; i++) {
      boolean takeLeft = right == to || (left < middle && keys[left] <= keys[right]);
      int source = takeLeft ? left++ : right++;
      otherKeys[i] = keys[source];
      otherIndices[i] = indices[source];
    }
  }
}
