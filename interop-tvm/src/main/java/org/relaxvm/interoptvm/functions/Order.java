package org.relaxvm.interoptvm.functions;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.kernels.DTypeSet;

/**
 * The order of the elements of a tensor along an axis: that of the kernel library, whose kernels
 * are used where the host has them. Of equal elements the one with the smaller index comes first.
 *
 * <p>Outputs have the shape of the tensor, with the extent of the axis or less of it.
 */
final class Order {
  private final @Nullable VmContext vm;
  private final Tensor input;
  private final int axis;
  private final boolean ascending;

  Order(@Nullable VmContext vm, Tensor input, int axis, boolean ascending) {
    this.vm = vm;
    this.input = input;
    this.axis = axis;
    this.ascending = ascending;
  }

  /** Stores the elements in order, or the first of them. */
  void values(Tensor out) {
    if (!runKernel(isWhole(out) ? "relaxvm.sort" : "relaxvm.topk", out)) {
      Tensor indices = Tensor.zeros(DType.INT64, out.shape());
      indices(indices);
      gather(indices, out);
    }
  }

  /** Stores the indices of the elements in order, or of the first of them. */
  void indices(Tensor out) {
    if (!DTypeSet.INDICES.contains(out.dtype())) {
      Tensor exact = Tensor.zeros(DType.INT64, out.shape());
      indices(exact);
      convert(exact, out);
    } else if (!runKernel(isWhole(out) ? "relaxvm.argsort" : "relaxvm.topk_indices", out)) {
      sort(out);
    }
  }

  /** Stores elements and indices. */
  void both(Tensor values, Tensor indices) {
    // Floats do not hold every index.
    boolean exact = DTypeSet.INDICES.contains(indices.dtype());
    Tensor positions = exact ? indices : Tensor.zeros(DType.INT64, indices.shape());
    indices(positions);
    gather(positions, values);
    if (!exact) {
      convert(positions, indices);
    }
  }

  /**
   * The indices of the first elements of a line in order.
   *
   * @param count how many elements of the line are looked at
   */
  static Integer[] ofLine(Lines line, int count, boolean ascending) {
    long[] keys = new long[count];
    Integer[] order = new Integer[count];
    for (int i = 0; i < count; i++) {
      keys[i] = ascending ? line.key(i) : ~line.key(i);
      order[i] = i;
    }
    Arrays.sort(order, Comparator.comparingLong(i -> keys[i]));
    return order;
  }

  private boolean isWhole(Tensor out) {
    return out.shape().dim(axis) == input.shape().dim(axis);
  }

  private boolean runKernel(String name, Tensor out) {
    Optional<PackedFunc> kernel =
        vm == null ? Optional.empty() : vm.devices().getLast().library().find(name);
    // Kernels forbid what they read and write to overlap.
    if (kernel.isEmpty() || input.segment().asOverlappingSlice(out.segment()).isPresent()) {
      return false;
    }
    kernel
        .get()
        .call(
            CallArgs.of(vm, new Object[] {input, (long) axis, !ascending, out}), new CallResult());
    return true;
  }

  private void sort(Tensor out) {
    Lines from = new Lines(input, axis);
    Lines to = new Lines(out, axis);
    for (long line = 0; line < from.count(); line++) {
      from.goTo(line);
      to.goTo(line);
      Integer[] order = ofLine(from, from.length(), ascending);
      for (int i = 0; i < to.length(); i++) {
        to.put(i, order[i].longValue());
      }
    }
  }

  private void gather(Tensor indices, Tensor out) {
    Lines from = new Lines(input, axis);
    Lines positions = new Lines(indices, axis);
    Lines to = new Lines(out, axis);
    for (long line = 0; line < from.count(); line++) {
      from.goTo(line);
      positions.goTo(line);
      to.goTo(line);
      // A copy, because the output may be the input.
      MemorySegment elements = from.bytes();
      for (int i = 0; i < to.length(); i++) {
        to.put(i, elements, positions.whole(i));
      }
    }
  }

  private void convert(Tensor indices, Tensor out) {
    Lines from = new Lines(indices, axis);
    Lines to = new Lines(out, axis);
    for (long line = 0; line < from.count(); line++) {
      from.goTo(line);
      to.goTo(line);
      for (int i = 0; i < to.length(); i++) {
        to.put(i, from.whole(i));
      }
    }
  }
}
