package org.relaxvm.backendcpu.indexing;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/**
 * Kernels that read elements where indices say.
 *
 * <p>Rationale: docs/rationale/api.md, "Why are indices checked in a separate pass?"
 */
final class GatherKernels {
  private static final int RUN = 1 << 14;

  private GatherKernels() {}

  static void take(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    Operand indices = Operand.of(call.tensor(1));
    Operand out = Operand.of(call.output());
    requireAxes(call);
    int axis = call.axis(2, x.rank());
    IndexMode mode = IndexMode.of(call, 3);
    if (mode == IndexMode.NAN && !call.output().dtype().isFloat()) {
      throw call.wrong(3, "'fast', 'wrap' or 'clip' for " + call.output().dtype(), "'nan'");
    }
    Operand outer = Axes.range(x, 0, axis);
    Operand inner = Axes.range(x, axis + 1, x.rank());
    call.requireShape(4, joined(outer.dims(), indices.dims(), inner.dims()));
    int groupRank = axis + indices.rank();
    Operand[] groups = {
      Axes.repeated(indices, 0, outer.dims()),
      Axes.repeated(outer, axis, indices.dims()),
      Axes.range(out, 0, groupRank)
    };
    Operand[] slice = {inner, Axes.range(out, groupRank, out.rank())};
    gather(call, new IndexedSlices(call, mode, x, new int[] {axis}, groups, 0, slice, RUN));
  }

  static void gatherElements(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    requireAxes(call);
    int axis = call.axis(2, x.rank());
    requireSmaller(call, axis);
    call.requireShape(3, call.tensor(1).shape());
    gather(call, elements(call, x, axis, Operand.of(call.output()), RUN));
  }

  static void gatherNd(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    Operand indices = Operand.of(call.tensor(1));
    Operand out = Operand.of(call.output());
    int last = indices.rank() - 1;
    if (last < 0) {
      throw call.wrongShape(1, "a tensor of rank 1 or more");
    }
    long batch = call.args().longAt(2);
    boolean fits = batch >= 0 && batch <= Math.min(x.rank(), last);
    for (int axis = 0; fits && axis < batch; axis++) {
      fits = x.dim(axis) == indices.dim(axis);
    }
    if (!fits) {
      throw call.wrong(
          2,
          "a number of leading axes that "
              + call.tensor(0).shape()
              + " and "
              + call.tensor(1).shape()
              + " share",
          Long.toString(batch));
    }
    if (indices.dim(last) > x.rank() - batch) {
      throw call.wrongShape(
          1, "lines of at most " + (x.rank() - batch) + " indices for " + call.tensor(0).shape());
    }
    int named = (int) indices.dim(last);
    Operand batches = Axes.range(x, 0, (int) batch);
    Operand inner = Axes.range(x, (int) batch + named, x.rank());
    Operand lines = Axes.range(indices, 0, last);
    call.requireShape(3, joined(lines.dims(), inner.dims()));
    long[] free = Axes.range(indices, (int) batch, last).dims();
    Operand[] groups = {lines, Axes.repeated(batches, (int) batch, free), Axes.range(out, 0, last)};
    Operand[] slice = {inner, Axes.range(out, last, out.rank())};
    int[] axes = IntStream.range((int) batch, (int) batch + named).toArray();
    gather(
        call,
        new IndexedSlices(call, IndexMode.FAST, x, axes, groups, indices.stride(last), slice, RUN));
  }

  /** The pairs of elements of {@code gather_elements} and {@code scatter_elements}. */
  static IndexedSlices elements(
      KernelCall call, Operand data, int axis, Operand other, int longestRun) {
    Operand indices = Operand.of(call.tensor(1));
    Operand[] groups = {indices, Axes.along(data, axis, indices.dims()), other};
    Operand[] slice = {data.axes(), other.axes()};
    return new IndexedSlices(
        call, IndexMode.FAST, data, new int[] {axis}, groups, 0, slice, longestRun);
  }

  static void requireAxes(KernelCall call) {
    if (call.tensor(0).shape().rank() == 0) {
      throw call.wrongShape(0, "a tensor of rank 1 or more");
    }
  }

  /** Checks that each index stands beside an element, whatever it is along an axis. */
  static void requireSmaller(KernelCall call, int axis) {
    Shape x = call.tensor(0).shape();
    Shape indices = call.tensor(1).shape();
    boolean fits = x.rank() == indices.rank();
    for (int i = 0; fits && i < x.rank(); i++) {
      fits = i == axis || indices.dim(i) <= x.dim(i);
    }
    if (!fits) {
      throw call.wrongShape(1, "a shape within " + x + " but for axis " + axis);
    }
  }

  static Shape joined(long[]... parts) {
    return Shape.of(Arrays.stream(parts).flatMapToLong(LongStream::of).toArray());
  }

  private static void gather(KernelCall call, IndexedSlices slices) {
    MemorySegment x = Operand.of(call.tensor(0)).memory();
    MemorySegment out = Operand.of(call.output()).memory();
    DType dtype = call.output().dtype();
    int bytes = dtype.elementByteSize();
    Sweep slice = slices.slice();
    MemorySegment nan = MemorySegment.ofArray(new long[1]);
    if (dtype.isFloat()) {
      Codecs.wideFloat(dtype).store(new double[] {Double.NaN}, 0, 1, nan, 0, 0);
    }
    Sweep.Visitor copy =
        (at, count) -> Copies.run(bytes, x, at[0], slice.step(0), out, at[1], slice.step(1), count);
    Sweep.Visitor fill =
        (at, count) -> Copies.run(bytes, nan, 0, 0, out, at[1], slice.step(1), count);
    Parallel.run(
        call.workers(),
        slices.units(),
        slices.unitCost(),
        (from, to) -> {
          Sweep.Walker walker = slice.new Walker();
          slices.walk(
              from,
              to,
              (dataAt, outAt) -> {
                walker.origin(0, Math.max(0, dataAt));
                walker.origin(1, outAt);
                walker.walk(0, slice.runs(), dataAt < 0 ? fill : copy);
              });
        });
  }
}
