package org.relaxvm.compiler.pass.memory;

import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Finds those of some tensors that are needed at the same time as another one, in time logarithmic
 * in the number of tensors for each that is found: a segment tree over the tensors in the order in
 * which they are needed first, with the greatest end of each part.
 */
final class LiveRanges {
  private static final int ABSENT = -1;

  private final Offsets.Tensor[] byBegin;
  private final Map<Offsets.Tensor, Integer> positions = new IdentityHashMap<>();
  private final int leaves;

  /** Greatest ends: the root is at 1, the parts of {@code i} at {@code 2 i} and {@code 2 i + 1}. */
  private final int[] ends;

  /** Ranges of no tensors, of which {@code all} may be added. */
  LiveRanges(List<Offsets.Tensor> all) {
    byBegin = all.toArray(Offsets.Tensor[]::new);
    Arrays.sort(byBegin, Comparator.comparingInt(tensor -> tensor.begin));
    for (int i = 0; i < byBegin.length; i++) {
      positions.put(byBegin[i], i);
    }
    leaves = Math.max(Integer.highestOneBit(Math.max(byBegin.length - 1, 1)) * 2, 1);
    ends = new int[2 * leaves];
    Arrays.fill(ends, ABSENT);
  }

  /** Adds a tensor. */
  void add(Offsets.Tensor tensor) {
    int position = Objects.requireNonNull(positions.get(tensor));
    for (int node = leaves + position; node > 0; node /= 2) {
      ends[node] = Math.max(ends[node], tensor.end);
    }
  }

  /** Gives the tensors, among those that were added, that are needed with another one. */
  void forEachNeededWith(Offsets.Tensor tensor, Consumer<Offsets.Tensor> action) {
    visit(1, 0, leaves, tensor, action);
  }

  private void visit(
      int node, int from, int size, Offsets.Tensor tensor, Consumer<Offsets.Tensor> action) {
    if (ends[node] < tensor.begin || byBegin[from].begin > tensor.end) {
      return;
    }
    if (size == 1) {
      action.accept(byBegin[from]);
      return;
    }
    int half = size / 2;
    visit(2 * node, from, half, tensor, action);
    if (from + half < byBegin.length) {
      visit(2 * node + 1, from + half, half, tensor, action);
    }
  }
}
