package org.relaxvm.backendcpu.movement;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Conversions;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.ElementwiseKernels;
import org.relaxvm.backendcpu.kernel.KernelCall;

/** Kernels that make elements from numbers. */
public final class FillKernels {
  private static final int RUN = ElementwiseKernels.RUN;

  private FillKernels() {}

  /** {@code relaxvm.full}. */
  public static void full(KernelCall call) {
    Operand out = Operand.of(call.output());
    Sweep sweep = new Sweep(RUN, out);
    int length = sweep.runLength();
    Progression values = new Progression(call.args(), 0, -1);
    if (call.output().dtype().isFloat()) {
      Codec<double[]> codec = Codecs.wideFloat(call.output().dtype());
      double[] run = values.floats(0, length, call.output().dtype());
      sweep.forEach((at, count) -> codec.store(run, 0, count, out.memory(), at[0], sweep.step(0)));
    } else {
      Codec<long[]> codec = Codecs.integer(call.output().dtype());
      long[] run = values.integers(0, length, codec);
      sweep.forEach((at, count) -> codec.store(run, 0, count, out.memory(), at[0], sweep.step(0)));
    }
  }

  /** {@code relaxvm.arange}. */
  public static void arange(KernelCall call) {
    call.requireRank(2, 1);
    Operand out = Operand.of(call.output());
    long length = out.dim(0);
    Progression values = new Progression(call.args(), 0, 1);
    for (long first = 0; first < length; first += RUN) {
      int count = (int) Math.min(RUN, length - first);
      long at = out.offset() + first * out.stride(0);
      if (call.output().dtype().isFloat()) {
        Codecs.wideFloat(call.output().dtype())
            .store(
                values.floats(first, count, call.output().dtype()),
                0,
                count,
                out.memory(),
                at,
                out.stride(0));
      } else {
        Codec<long[]> codec = Codecs.integer(call.output().dtype());
        codec.store(
            values.integers(first, count, codec), 0, count, out.memory(), at, out.stride(0));
      }
    }
  }

  /** A number among the arguments as one element of the output's dtype. */
  public static Operand constant(KernelCall call, int index) {
    DType dtype = call.output().dtype();
    MemorySegment element = MemorySegment.ofArray(new long[1]);
    Progression values = new Progression(call.args(), index, -1);
    if (dtype.isFloat()) {
      Codecs.wideFloat(dtype).store(values.floats(0, 1, dtype), 0, 1, element, 0, 0);
    } else {
      Codec<long[]> codec = Codecs.integer(dtype);
      codec.store(values.integers(0, 1, codec), 0, 1, element, 0, 0);
    }
    return new Operand(element, 0, new long[0], new long[0]);
  }

  /** {@code start + i * step}, exact where both are integers. */
  private static final class Progression {
    private final boolean exact;
    private final long longStart;
    private final long longStep;
    private final double start;
    private final double step;

    Progression(CallArgs args, int startIndex, int stepIndex) {
      boolean constant = stepIndex < 0;
      exact =
          args.ref(startIndex) != ScalarTag.FLOAT
              && (constant || args.ref(stepIndex) != ScalarTag.FLOAT);
      longStart = exact ? args.longAt(startIndex) : 0;
      longStep = exact && !constant ? args.longAt(stepIndex) : 0;
      start = args.doubleAt(startIndex);
      step = constant ? 0 : args.doubleAt(stepIndex);
    }

    double[] floats(long first, int count, DType dtype) {
      double[] values = new double[count];
      if (exact) {
        Conversions.toFloats(longs(first, count), values, count, false, dtype.bits() < 64);
      } else {
        Arrays.setAll(values, i -> start + (first + i) * step);
      }
      return values;
    }

    long[] integers(long first, int count, Codec<long[]> codec) {
      if (exact) {
        return longs(first, count);
      }
      long[] values = new long[count];
      Conversions.toIntegers(floats(first, count, DType.FLOAT64), values, count, codec);
      return values;
    }

    private long[] longs(long first, int count) {
      long[] values = new long[count];
      Arrays.setAll(values, i -> longStart + (first + i) * longStep);
      return values;
    }
  }
}
