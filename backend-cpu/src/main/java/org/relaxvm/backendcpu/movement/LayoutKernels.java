package org.relaxvm.backendcpu.movement;

import java.util.Arrays;
import java.util.Map;
import org.relaxvm.api.Shape;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** Kernels that are a copy once input or output is seen with other extents and strides. */
public final class LayoutKernels {
  private LayoutKernels() {}

  /** Adds the kernels of this package by name without prefix. */
  public static void addTo(Map<String, CpuKernel> kernels) {
    kernels.put("strided_slice", LayoutKernels::stridedSlice);
    kernels.put("tile", LayoutKernels::tile);
    kernels.put("repeat", LayoutKernels::repeat);
    kernels.put("flip", LayoutKernels::flip);
    kernels.put("pad", PadKernel::run);
    kernels.put("tril", call -> TriangleKernels.run(call, true));
    kernels.put("triu", call -> TriangleKernels.run(call, false));
  }

  private static void stridedSlice(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    int[] axes = distinctAxes(call, x.rank());
    long[] begin = numbers(call, 2, axes.length);
    long[] end = numbers(call, 3, axes.length);
    long[] steps = new long[axes.length];
    Arrays.fill(steps, 1);
    if (!call.args().isNull(4)) {
      steps = numbers(call, 4, axes.length);
    }
    long[] dims = x.dims().clone();
    long[] strides = x.strides().clone();
    long offset = x.offset();
    for (int i = 0; i < axes.length; i++) {
      int axis = axes[i];
      if (steps[i] == 0) {
        throw call.wrong(4, "steps other than 0", call.args().shapeAt(4).toString());
      }
      long first = place(begin[i], dims[axis], steps[i]);
      long last = place(end[i], dims[axis], steps[i]);
      boolean empty = steps[i] > 0 ? last <= first : last >= first;
      long toLast = steps[i] > 0 ? last - first - 1 : last - first + 1;
      dims[axis] = empty ? 0 : toLast / steps[i] + 1;
      offset += empty ? 0 : first * strides[axis];
      // A single element needs no stride, and a huge one would overflow.
      strides[axis] = dims[axis] > 1 ? steps[i] * strides[axis] : strides[axis];
    }
    call.requireShape(5, Shape.of(dims));
    Moves.run(call, new Operand(x.memory(), offset, dims, strides), Operand.of(call.output()));
  }

  private static long place(long given, long extent, long step) {
    long place = given < 0 ? given + extent : given;
    return step > 0 ? Math.clamp(place, 0, extent) : Math.clamp(place, -1, extent - 1);
  }

  private static void tile(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    Operand out = Operand.of(call.output());
    Shape repeats = call.args().shapeAt(1);
    int rank = Math.max(x.rank(), repeats.rank());
    long[] expected = new long[rank];
    long[] dims = new long[2 * rank];
    long[] fromStrides = new long[2 * rank];
    for (int axis = 0; axis < rank; axis++) {
      int own = axis - rank + x.rank();
      int given = axis - rank + repeats.rank();
      dims[2 * axis] = given < 0 ? 1 : repeats.dim(given);
      dims[2 * axis + 1] = own < 0 ? 1 : x.dim(own);
      fromStrides[2 * axis + 1] = own < 0 ? 0 : x.stride(own);
      if (dims[2 * axis] < 0) {
        throw call.wrong(1, "numbers of at least 0", repeats.toString());
      }
      expected[axis] = product(dims[2 * axis], dims[2 * axis + 1]);
    }
    call.requireShape(2, Shape.of(expected));
    long[] toStrides = new long[2 * rank];
    for (int axis = 0; axis < rank; axis++) {
      toStrides[2 * axis] = out.stride(axis) * dims[2 * axis + 1];
      toStrides[2 * axis + 1] = out.stride(axis);
    }
    Moves.run(
        call,
        new Operand(x.memory(), x.offset(), dims, fromStrides),
        new Operand(out.memory(), out.offset(), dims, toStrides));
  }

  private static void repeat(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    Operand out = Operand.of(call.output());
    long repeats = call.args().longAt(1);
    if (repeats < 0) {
      throw call.wrong(1, "at least 0", Long.toString(repeats));
    }
    boolean flat = call.args().isNull(2);
    int axis = flat ? x.rank() - 1 : call.axis(2, x.rank());
    long[] expected = flat ? new long[] {call.tensor(0).elementCount()} : x.dims().clone();
    int repeated = flat ? 0 : axis;
    expected[repeated] = product(expected[repeated], repeats);
    call.requireShape(3, Shape.of(expected));
    // The repetitions are an axis of their own behind `axis`.
    long[] dims = inserted(x.dims(), axis + 1, repeats);
    long[] toStrides = new long[dims.length];
    if (flat) {
      long stride = out.stride(0);
      for (int i = dims.length - 1; i >= 0; i--) {
        toStrides[i] = stride;
        stride *= Math.max(1, dims[i]);
      }
    } else {
      toStrides = inserted(out.strides(), axis + 1, out.stride(axis));
      toStrides[axis] *= repeats;
    }
    Moves.run(
        call,
        new Operand(x.memory(), x.offset(), dims, inserted(x.strides(), axis + 1, 0)),
        new Operand(out.memory(), out.offset(), dims, toStrides));
  }

  private static void flip(KernelCall call) {
    Operand x = Operand.of(call.tensor(0));
    if (x.rank() == 0) {
      throw call.wrongShape(0, "a tensor of rank 1 or more");
    }
    int axis = call.axis(1, x.rank());
    call.requireShape(2, call.tensor(0).shape());
    long[] strides = x.strides().clone();
    long offset = x.offset() + Math.max(0, x.dim(axis) - 1) * strides[axis];
    strides[axis] = -strides[axis];
    Moves.run(call, new Operand(x.memory(), offset, x.dims(), strides), Operand.of(call.output()));
  }

  private static int[] distinctAxes(KernelCall call, int rank) {
    Shape given = call.args().shapeAt(1);
    boolean[] seen = new boolean[rank];
    int[] axes = new int[given.rank()];
    for (int i = 0; i < axes.length; i++) {
      long axis = given.dim(i) < 0 ? given.dim(i) + rank : given.dim(i);
      if (axis < 0 || axis >= rank || seen[(int) axis]) {
        throw call.wrong(1, "distinct axes of a tensor of rank " + rank, given.toString());
      }
      axes[i] = (int) axis;
      seen[axes[i]] = true;
    }
    return axes;
  }

  private static long[] numbers(KernelCall call, int index, int count) {
    Shape given = call.args().shapeAt(index);
    if (given.rank() != count) {
      throw call.wrong(index, count + " numbers, one for each of 'axes',", given.toString());
    }
    return given.toArray();
  }

  private static long[] inserted(long[] numbers, int at, long number) {
    long[] longer = new long[numbers.length + 1];
    System.arraycopy(numbers, 0, longer, 0, at);
    longer[at] = number;
    System.arraycopy(numbers, at, longer, at + 1, numbers.length - at);
    return longer;
  }

  /** An extent times a number; the largest long when it does not fit, which no output has. */
  private static long product(long extent, long times) {
    return times != 0 && extent > Long.MAX_VALUE / times ? Long.MAX_VALUE : extent * times;
  }
}
