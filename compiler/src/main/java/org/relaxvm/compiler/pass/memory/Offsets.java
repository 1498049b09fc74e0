package org.relaxvm.compiler.pass.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * Places tensors at offsets of one memory, so that those that are needed at the same time do not
 * overlap. The largest are placed first, each into the smallest gap that it fits into.
 */
final class Offsets {
  /**
   * What every offset is a multiple of, in bytes: no device that stores tensors in buffers asks for
   * more. Vulkan allows devices to ask for up to 256.
   */
  static final long ALIGNMENT = 256;

  private long byteSize;

  private Offsets() {}

  /** A tensor, needed from one binding to another, both included. */
  static final class Tensor {
    final long byteSize;
    final int begin;
    int end;
    long offset;

    Tensor(long byteSize, int begin) {
      this.byteSize = byteSize;
      this.begin = begin;
      this.end = begin;
    }

    private boolean isNeededWith(Tensor other) {
      return begin <= other.end && other.begin <= end;
    }

    private long top() {
      return offset + byteSize;
    }
  }

  /**
   * Sets the offset of each tensor that calls need in their order, and says how many bytes they
   * need together.
   */
  static long assign(List<Tensor> tensors) {
    Offsets offsets = new Offsets();
    LiveRanges assigned = new LiveRanges(tensors);
    for (Tensor tensor : largestFirst(tensors)) {
      List<Tensor> others = new ArrayList<>();
      assigned.forEachNeededWith(tensor, others::add);
      offsets.assign(tensor, others);
      assigned.add(tensor);
    }
    return offsets.byteSize;
  }

  /**
   * As {@link #assign(List)}, where calls may run at the same time. The time is quadratic in the
   * number of tensors.
   *
   * @param areTogether whether two tensors do not overlap although the calls that use them are
   *     apart
   */
  static long assign(List<Tensor> tensors, BiPredicate<Tensor, Tensor> areTogether) {
    Offsets offsets = new Offsets();
    List<Tensor> assigned = new ArrayList<>();
    for (Tensor tensor : largestFirst(tensors)) {
      List<Tensor> others = new ArrayList<>();
      for (Tensor other : assigned) {
        if (other.isNeededWith(tensor) || areTogether.test(other, tensor)) {
          others.add(other);
        }
      }
      offsets.assign(tensor, others);
      assigned.add(tensor);
    }
    return offsets.byteSize;
  }

  private static List<Tensor> largestFirst(List<Tensor> tensors) {
    return tensors.stream()
        .sorted(
            Comparator.comparingLong((Tensor tensor) -> -tensor.byteSize)
                .thenComparingInt(tensor -> tensor.begin))
        .toList();
  }

  /** Sets the offset of a tensor beside others, whose offsets are set. */
  private void assign(Tensor tensor, List<Tensor> others) {
    others.sort(
        Comparator.comparingLong((Tensor other) -> other.offset)
            .thenComparingLong(other -> -other.byteSize));
    long best = -1;
    long smallestGap = Long.MAX_VALUE;
    long from = 0;
    for (Tensor other : others) {
      long gap = other.offset - from;
      if (gap >= tensor.byteSize && gap < smallestGap) {
        best = from;
        smallestGap = gap;
      }
      from = Math.max(from, aligned(other.top()));
    }
    tensor.offset = best >= 0 ? best : from;
    byteSize = Math.max(byteSize, tensor.top());
  }

  private static long aligned(long offset) {
    return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
  }
}
