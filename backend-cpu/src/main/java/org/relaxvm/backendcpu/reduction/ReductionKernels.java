package org.relaxvm.backendcpu.reduction;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** Sum, mean, product, maximum and minimum over axes. */
public final class ReductionKernels {
  private ReductionKernels() {}

  /**
   * Folds with an operation; the mean is the sum, divided.
   *
   * @param floats the same operation on float32 elements that are neighbours, where there is vector
   *     code for it
   */
  public static CpuKernel of(
      BinaryOp op, boolean mean, @Nullable Supplier<Reducer<double[]>> floats) {
    return call -> {
      DType dtype = call.output().dtype();
      if (!dtype.isFloat()) {
        Codec<long[]> codec = Codecs.integer(dtype);
        Reduction<long[]> reduction = plan(op, mean, call, codec);
        long step = reduction.step();
        if (Codecs.holdsInts(dtype)) {
          Codec<int[]> ints = Codecs.ints(dtype);
          reduction.run(call.workers(), () -> new IntReducer(op, ints, step));
        } else {
          boolean unsigned = dtype.code() == TypeCode.UINT && dtype.bits() == Long.SIZE;
          reduction.run(call.workers(), () -> new LongReducer(op, codec, step, unsigned));
        }
        return;
      }
      Codec<double[]> codec = Codecs.wideFloat(dtype);
      Reduction<double[]> reduction = plan(op, mean, call, codec);
      long step = reduction.step();
      if (dtype.bits() > Float.SIZE) {
        reduction.run(call.workers(), () -> new DoubleReducer(op, codec, step));
      } else if (floats == null || !dtype.equals(DType.FLOAT32) || step != Float.BYTES) {
        Codec<float[]> narrow = call.floatCodec(dtype);
        reduction.run(call.workers(), () -> new FloatReducer(op, narrow, step));
      } else {
        reduction.run(call.workers(), floats);
      }
    };
  }

  private static <R> Reduction<R> plan(BinaryOp op, boolean mean, KernelCall call, Codec<R> codec) {
    Tensor x = call.tensor(0);
    boolean[] reduced = reducedAxes(call, x.shape().rank());
    boolean keep = call.booleanAt(2);
    call.requireShape(3, reducedShape(x.shape(), reduced, keep));
    Operand in = Operand.of(x);
    int[] folded = axes(in, reduced, true);
    int[] kept = axes(in, reduced, false);
    int[] keptOut = new int[kept.length];
    for (int i = 0; i < kept.length; i++) {
      for (int axis = 0; axis < kept[i]; axis++) {
        keptOut[i] += keep || !reduced[axis] ? 1 : 0;
      }
    }
    long each = 1;
    for (int axis : folded) {
      each *= in.dim(axis);
    }
    if (each == 0 && (op == BinaryOp.MAXIMUM || op == BinaryOp.MINIMUM)) {
      throw call.wrongShape(0, "not empty along the reduced axes");
    }
    Operand out = Operand.of(call.output()).axes(keptOut);
    return new Reduction<>(op, codec, mean ? each : 1, in.axes(kept), out, in.axes(folded), each);
  }

  /** Some axes, those of near elements last: their order does not matter to the result. */
  private static int[] axes(Operand in, boolean[] reduced, boolean which) {
    return IntStream.range(0, reduced.length)
        .filter(axis -> reduced[axis] == which)
        .boxed()
        .sorted(Comparator.comparingLong(axis -> -Math.abs(in.stride(axis))))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static boolean[] reducedAxes(KernelCall call, int rank) {
    boolean[] reduced = new boolean[rank];
    if (call.args().isNull(1)) {
      Arrays.fill(reduced, true);
      return reduced;
    }
    for (int axis : call.distinctAxes(1, rank)) {
      reduced[axis] = true;
    }
    return reduced;
  }

  private static Shape reducedShape(Shape shape, boolean[] reduced, boolean keep) {
    long[] dims = new long[reduced.length];
    int rank = 0;
    for (int axis = 0; axis < reduced.length; axis++) {
      if (!reduced[axis]) {
        dims[rank++] = shape.dim(axis);
      } else if (keep) {
        dims[rank++] = 1;
      }
    }
    return Shape.of(Arrays.copyOf(dims, rank));
  }
}
