package org.relaxvm.backendcpu.ordering;

import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** Kernels that bring the elements of a line, or the first ones of them, into order. */
final class SortKernels {
  private static final int LONGEST_LINE = Integer.MAX_VALUE - 8;

  /** Simple operations for an element: comparisons with some others. */
  private static final long ELEMENT_COST = 32;

  /** One in so many wanted elements are found faster one by one than by sorting all. */
  private static final int FEW = 8;

  private SortKernels() {}

  /** {@code relaxvm.sort} and {@code relaxvm.argsort}. */
  static void sort(KernelCall call, boolean wantsIndices) {
    int axis = axis(call);
    call.requireShape(3, call.tensor(0).shape());
    run(call, axis, call.booleanAt(2), wantsIndices);
  }

  /** {@code relaxvm.topk} and {@code relaxvm.topk_indices}. */
  static void topk(KernelCall call, boolean wantsIndices) {
    int axis = axis(call);
    Shape x = call.tensor(0).shape();
    Shape out = call.output().shape();
    boolean fits = out.rank() == x.rank() && out.dim(axis) <= x.dim(axis);
    for (int i = 0; fits && i < x.rank(); i++) {
      fits = i == axis || out.dim(i) == x.dim(i);
    }
    if (!fits) {
      throw call.wrongShape(3, "shape " + x + " with 0 to " + x.dim(axis) + " at axis " + axis);
    }
    run(call, axis, call.booleanAt(2), wantsIndices);
  }

  private static int axis(KernelCall call) {
    Shape x = call.tensor(0).shape();
    if (x.rank() == 0) {
      throw call.wrongShape(0, "a tensor of rank 1 or more");
    }
    int axis = call.axis(1, x.rank());
    if (x.dim(axis) > LONGEST_LINE) {
      throw call.wrongShape(0, "a tensor of at most " + LONGEST_LINE + " elements along the axis");
    }
    return axis;
  }

  private static void run(KernelCall call, int axis, boolean descending, boolean wantsIndices) {
    Operand x = Operand.of(call.tensor(0));
    Operand out = Operand.of(call.output());
    int length = (int) x.dim(axis);
    int wanted = (int) out.dim(axis);
    if (wanted == 0) {
      return;
    }
    int[] others = Lines.except(x.rank(), axis);
    int bytes = call.output().dtype().elementByteSize();
    Lines lines = new Lines(x.axes(others), out.axes(others), length * ELEMENT_COST);
    lines.forEach(
        call,
        () -> {
          Keys keys = new Keys(call.tensor(0).dtype(), descending, descending);
          KeySort sort = new KeySort(length);
          return (fromAt, toAt) -> {
            keys.read(x.memory(), fromAt, x.stride(axis), sort.keys(), 0, length);
            if (wanted <= length / FEW) {
              sort.select(wanted, length);
            } else {
              sort.sort(length);
            }
            int[] order = sort.indices();
            if (wantsIndices) {
              storeIndices(call, sort, wanted, out, toAt, out.stride(axis));
              return;
            }
            for (int i = 0; i < wanted; i++) {
              long from = fromAt + order[i] * x.stride(axis);
              long to = toAt + i * out.stride(axis);
              Copies.run(bytes, x.memory(), from, 0, out.memory(), to, 0, 1);
            }
          };
        });
  }

  private static void storeIndices(
      KernelCall call, KeySort sort, int count, Operand out, long at, long step) {
    Codec<long[]> codec = Codecs.integer(call.output().dtype());
    long[] values = sort.keys();
    int[] order = sort.indices();
    for (int i = 0; i < count; i++) {
      values[i] = order[i];
    }
    codec.store(values, 0, count, out.memory(), at, step);
  }
}
