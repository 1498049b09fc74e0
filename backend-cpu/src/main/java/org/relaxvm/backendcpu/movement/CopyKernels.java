package org.relaxvm.backendcpu.movement;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.ElementwiseKernels;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** Kernels that move elements without looking at them. */
public final class CopyKernels {
  private CopyKernels() {}

  /** {@code relaxvm.copy}. */
  public static void copy(KernelCall call) {
    call.requireBroadcast(0, call.output().shape());
    Moves.run(call, ElementwiseKernels.stretched(call, 0), Operand.of(call.output()));
  }

  /** {@code relaxvm.permute_dims}. */
  public static void permute(KernelCall call) {
    Operand x = Operand.of(call.tensor(0)).axes(permutation(call));
    call.requireShape(2, Shape.of(x.dims()));
    Moves.run(call, x, Operand.of(call.output()));
  }

  /** {@code relaxvm.reshape}. */
  public static void reshape(KernelCall call) {
    Tensor x = call.tensor(0);
    Tensor out = call.output();
    if (x.elementCount() != out.elementCount()) {
      throw call.wrongShape(1, "a shape of " + x.elementCount() + " elements as " + x.shape());
    }
    // A compact side takes the shape of the other one; only two strided sides need a detour.
    if (out.isContiguous()) {
      Moves.run(call, Operand.of(x), compact(out, x.shape()));
    } else if (x.isContiguous()) {
      Moves.run(call, compact(x, out.shape()), Operand.of(out));
    } else {
      Tensor compact = x.toHost();
      Moves.run(call, compact(compact, out.shape()), Operand.of(out));
    }
  }

  /** {@code relaxvm.concat}. */
  public static void concat(KernelCall call) {
    Tuple parts = call.args().tupleAt(0);
    Tensor out = call.output();
    int rank = out.shape().rank();
    int axis = call.axis(1, rank);
    long sum = 0;
    for (int i = 0; i < parts.size(); i++) {
      Tensor part = part(call, parts, i);
      long[] expected = out.shape().toArray();
      boolean fits = part.shape().rank() == rank;
      if (fits) {
        expected[axis] = part.shape().dim(axis);
        fits = part.shape().equals(Shape.of(expected));
      }
      if (!fits) {
        throw call.wrong(
            0,
            "of shapes that equal " + out.shape() + ", the shape of 'out', but for axis " + axis,
            "of shape " + part.shape() + " in field " + i);
      }
      sum += part.shape().dim(axis);
    }
    if (sum != out.shape().dim(axis)) {
      throw call.wrongShape(2, "a shape of extent " + sum + " along axis " + axis);
    }
    Operand whole = Operand.of(out);
    long at = whole.offset();
    for (int i = 0; i < parts.size(); i++) {
      Operand part = Operand.of(part(call, parts, i));
      Moves.run(call, part, new Operand(whole.memory(), at, part.dims(), whole.strides()));
      at += part.dim(axis) * whole.stride(axis);
    }
  }

  private static Tensor part(KernelCall call, Tuple parts, int index) {
    if (parts.get(index) instanceof Tensor tensor) {
      call.checkMemory(0, tensor);
      return tensor;
    }
    throw new IllegalStateException("the signature admits tensors only");
  }

  private static Operand compact(Tensor tensor, Shape shape) {
    int bytes = tensor.dtype().elementByteSize();
    long[] strides = new long[shape.rank()];
    long step = bytes;
    for (int axis = strides.length - 1; axis >= 0; axis--) {
      strides[axis] = step;
      step *= Math.max(1, shape.dim(axis));
    }
    Operand operand = Operand.of(tensor);
    return new Operand(operand.memory(), operand.offset(), shape.toArray(), strides);
  }

  private static int[] permutation(KernelCall call) {
    int rank = call.tensor(0).shape().rank();
    int[] axes = new int[rank];
    @Nullable Object given = call.args().ref(1);
    if (!(given instanceof Shape shape)) {
      Arrays.setAll(axes, i -> rank - 1 - i);
      return axes;
    }
    boolean[] seen = new boolean[rank];
    boolean fits = shape.rank() == rank;
    for (int i = 0; fits && i < rank; i++) {
      long axis = shape.dim(i) < 0 ? shape.dim(i) + rank : shape.dim(i);
      fits = axis >= 0 && axis < rank && !seen[(int) axis];
      if (fits) {
        axes[i] = (int) axis;
        seen[(int) axis] = true;
      }
    }
    if (!fits) {
      throw call.wrong(1, "a permutation of " + rank + " axes", shape.toString());
    }
    return axes;
  }
}
