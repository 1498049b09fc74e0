package org.relaxvm.backendcpu.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/**
 * Softmax and its logarithm along one axis, in three passes over each line: in float32 where there
 * is vector code, else in float64.
 */
public final class SoftmaxKernels {
  private static final int CHUNK = 1024;
  private static final int RUN = 1 << 16;
  private static final int LEAST_COLUMNS = 8;
  private static final int MOST_LINES = 256;
  private static final long COST_PER_ELEMENT = 40;
  private static final long VECTOR_COST_PER_ELEMENT = 8;

  private SoftmaxKernels() {}

  /**
   * Softmax.
   *
   * @param logarithm its logarithm
   */
  public static CpuKernel of(boolean logarithm) {
    return call -> run(call, logarithm, null, null);
  }

  /**
   * Softmax in vector code.
   *
   * @param logarithm its logarithm
   * @param rows for floats of up to 32 bits
   * @param direct for float32 elements side by side
   */
  public static CpuKernel of(boolean logarithm, FloatRows rows, SoftmaxRows direct) {
    return call -> run(call, logarithm, rows, direct);
  }

  private static void run(
      KernelCall call, boolean logarithm, @Nullable FloatRows rows, @Nullable SoftmaxRows direct) {
    Tensor x = call.tensor(0);
    int rank = call.requireAxes(0);
    int axis = call.axis(1, rank);
    call.requireShape(2, x.shape());
    int[] others = new int[rank - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = i < axis ? i : i + 1;
    }
    Operand in = Operand.of(x);
    Operand out = Operand.of(call.output());
    long length = in.dim(axis);
    Sweep lines = new Sweep(1, in.axes(others), out.axes(others));
    if (rows != null && direct != null && x.dtype().bits() <= Float.SIZE) {
      Codec<float[]> codec = call.floatCodec(x.dtype());
      Sweep neighbours = new Sweep(SoftmaxColumns.MOST, in.axes(others), out.axes(others));
      boolean columns =
          neighbours.runLength() >= LEAST_COLUMNS
              && neighbours.step(0) == codec.bytes()
              && in.stride(axis) != codec.bytes();
      if (columns) {
        runColumns(call, rows, codec, in, out, axis, neighbours, logarithm);
      } else {
        runRows(call, rows, direct, codec, in, out, axis, others, logarithm);
      }
      return;
    }
    Codec<double[]> codec = Codecs.wideFloat(x.dtype());
    Parallel.run(
        call.workers(),
        length == 0 ? 0 : lines.runs(),
        length * COST_PER_ELEMENT,
        (from, to) -> {
          Line line = new Line(codec, in, out, axis, logarithm);
          lines.new Walker().walk(from, to, (at, one) -> line.run(at[0], at[1]));
        });
  }

  private static void runRows(
      KernelCall call,
      FloatRows rows,
      SoftmaxRows direct,
      Codec<float[]> codec,
      Operand in,
      Operand out,
      int axis,
      int[] others,
      boolean logarithm) {
    long length = in.dim(axis);
    int together = Math.clamp(RUN / Math.max(1, length), 1, MOST_LINES);
    Sweep lines = new Sweep(together, in.axes(others), out.axes(others));
    Parallel.run(
        call.workers(),
        length == 0 ? 0 : lines.runs(),
        length * lines.runLength() * VECTOR_COST_PER_ELEMENT,
        (from, to) -> {
          SoftmaxLine line = new SoftmaxLine(rows, direct, codec, in, out, axis, logarithm);
          lines.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> line.run(at[0], at[1], lines.step(0), lines.step(1), count));
        });
  }

  private static void runColumns(
      KernelCall call,
      FloatRows rows,
      Codec<float[]> codec,
      Operand in,
      Operand out,
      int axis,
      Sweep neighbours,
      boolean logarithm) {
    long length = in.dim(axis);
    Parallel.run(
        call.workers(),
        length == 0 ? 0 : neighbours.runs(),
        length * neighbours.runLength() * VECTOR_COST_PER_ELEMENT,
        (from, to) -> {
          SoftmaxColumns lines =
              new SoftmaxColumns(
                  rows,
                  codec,
                  in,
                  out,
                  axis,
                  neighbours.step(0),
                  neighbours.step(1),
                  neighbours.runLength(),
                  logarithm);
          neighbours.new Walker().walk(from, to, (at, count) -> lines.run(at[0], at[1], count));
        });
  }

  /** One line after the other, in one thread. */
  private static final class Line {
    private final Codec<double[]> codec;
    private final Operand in;
    private final Operand out;
    private final long length;
    private final long inStep;
    private final long outStep;
    private final boolean logarithm;
    private final double[] values;

    Line(Codec<double[]> codec, Operand in, Operand out, int axis, boolean logarithm) {
      this.codec = codec;
      this.in = in;
      this.out = out;
      this.length = in.dim(axis);
      this.inStep = in.stride(axis);
      this.outStep = out.stride(axis);
      this.logarithm = logarithm;
      this.values = new double[(int) Math.min(length, CHUNK)];
    }

    void run(long from, long to) {
      double largest = largest(from);
      double sum = sum(from, largest);
      double logSum = Math.log(sum);
      for (long start = 0; start < length; start += CHUNK) {
        int count = load(from, start);
        for (int i = 0; i < count; i++) {
          double shifted = values[i] - largest;
          values[i] = logarithm ? shifted - logSum : Math.exp(shifted) / sum;
        }
        codec.store(values, 0, count, out.memory(), to + start * outStep, outStep);
      }
    }

    private double largest(long from) {
      double largest = Double.NEGATIVE_INFINITY;
      for (long start = 0; start < length; start += CHUNK) {
        int count = load(from, start);
        for (int i = 0; i < count; i++) {
          largest = Math.max(largest, values[i]);
        }
      }
      return largest;
    }

    private double sum(long from, double largest) {
      double sum = 0;
      for (long start = 0; start < length; start += CHUNK) {
        int count = load(from, start);
        for (int i = 0; i < count; i++) {
          sum += Math.exp(values[i] - largest);
        }
      }
      return sum;
    }

    private int load(long from, long start) {
      int count = (int) Math.min(CHUNK, length - start);
      codec.load(in.memory(), from + start * inStep, inStep, values, 0, count);
      return count;
    }
  }
}
