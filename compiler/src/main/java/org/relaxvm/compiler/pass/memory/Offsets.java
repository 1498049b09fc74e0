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

  /** In the order of their offsets. */
  private final List<Tensor> assigned = new ArrayList<>();

  private final BiPredicate<Tensor, Tensor> areTogether;
  private long byteSize;

  private Offsets(BiPredicate<Tensor, Tensor> areTogether) {
    this.areTogether = areTogether;
  }

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

  /** As {@link #assign(List, BiPredicate)} for tensors that are needed by calls in their order. */
  static long assign(List<Tensor> tensors) {
    return assign(tensors, (one, other) -> false);
  }

  /**
   * Sets the offset of each tensor, and says how many bytes they need together.
   *
   * @param areTogether whether two tensors do not overlap although the calls that use them are
   *     apart
   */
  static long assign(List<Tensor> tensors, BiPredicate<Tensor, Tensor> areTogether) {
    Offsets offsets = new Offsets(areTogether);
    tensors.stream()
        .sorted(
            Comparator.comparingLong((Tensor tensor) -> -tensor.byteSize)
                .thenComparingInt(tensor -> tensor.begin))
        .forEach(offsets::assign);
    return offsets.byteSize;
  }

  private void assign(Tensor tensor) {
    long best = -1;
    long smallestGap = Long.MAX_VALUE;
    long from = 0;
    for (Tensor other : assigned) {
      if (!other.isNeededWith(tensor) && !areTogether.test(other, tensor)) {
        continue;
      }
      long gap = other.offset - from;
      if (gap >= tensor.byteSize && gap < smallestGap) {
        best = from;
        smallestGap = gap;
      }
      from = Math.max(from, aligned(other.top()));
    }
    tensor.offset = best >= 0 ? best : from;
    byteSize = Math.max(byteSize, tensor.top());
    int at = assigned.size();
    while (at > 0 && assigned.get(at - 1).offset > tensor.offset) {
      at--;
    }
    assigned.add(at, tensor);
  }

  private static long aligned(long offset) {
    return Math.ceilDiv(offset, ALIGNMENT) * ALIGNMENT;
  }
}
