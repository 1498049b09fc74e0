package org.relaxvm.backendcpu.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

/** Batch normalization with given statistics, run by run. */
public final class BatchNormKernel {
  private static final int RUN = 4096;
  private static final long COST_PER_ELEMENT = 4;
  private static final int PARAMETERS = 4;

  private BatchNormKernel() {}

  /**
   * {@code relaxvm.batch_norm}.
   *
   * @param lines vector code for elements in arrays; null for none
   * @param channels vector code for float32 that is not copied before; null for none
   */
  public static CpuKernel of(@Nullable LineMath lines, @Nullable FloatChannels channels) {
    return call -> run(call, lines, channels);
  }

  private static void run(
      KernelCall call, @Nullable LineMath lines, @Nullable FloatChannels channels) {
    Tensor tensor = call.tensor(0);
    int axis = call.axis(5, call.requireAxes(0));
    call.requireShape(7, tensor.shape());
    Operand x = Operand.of(tensor);
    Operand out = Operand.of(call.output());
    Operand[] parameters = new Operand[PARAMETERS];
    for (int i = 0; i < PARAMETERS; i++) {
      parameters[i] = call.perChannel(i + 1, x, axis, i == 0 ? 1 : 0);
    }
    double epsilon = call.args().doubleAt(6);
    DType dtype = tensor.dtype();
    if (channels != null
        && dtype.equals(DType.FLOAT32)
        && channelNorm(parameters, axis, epsilon).run(call.workers(), channels, x, out, axis)) {
      return;
    }
    int bytes = dtype.elementByteSize();
    if (lines != null && x.dim(axis) > 0 && x.stride(axis) == bytes && out.stride(axis) == bytes) {
      double[][] numbers = numbers(parameters, axis, dtype);
      if (dtype.bits() > Float.SIZE) {
        rows(Codecs.wideFloat(dtype), lines.doubles(), numbers, epsilon)
            .run(call.workers(), x, out, axis);
      } else {
        rows(call.floatCodec(dtype), lines.floats(), numbers, epsilon)
            .run(call.workers(), x, out, axis);
      }
      return;
    }
    @Nullable FloatRows rows = lines == null ? null : lines.rows();
    Sweep sweep =
        new Sweep(RUN, parameters[0], parameters[1], parameters[2], parameters[3], x, out);
    boolean onePerRun =
        sweep.step(0) == 0 && sweep.step(1) == 0 && sweep.step(2) == 0 && sweep.step(3) == 0;
    boolean narrow = rows != null && dtype.bits() <= Float.SIZE && onePerRun;
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength() * COST_PER_ELEMENT,
        (from, to) -> {
          Runs worker =
              new Runs(Codecs.wideFloat(dtype), parameters, x, out, sweep, onePerRun, epsilon);
          if (rows == null || !narrow) {
            sweep.new Walker().walk(from, to, worker::normalize);
          } else {
            Codec<float[]> codec = call.floatCodec(dtype);
            float[] run = new float[sweep.runLength()];
            sweep.new Walker()
                .walk(from, to, (at, count) -> worker.normalize(rows, codec, run, at, count));
          }
        });
  }

  /** The parameters of all channels. */
  private static double[][] numbers(Operand[] parameters, int axis, DType dtype) {
    Codec<double[]> codec = Codecs.wideFloat(dtype);
    int channels = Math.toIntExact(parameters[0].dim(axis));
    double[][] numbers = new double[PARAMETERS][channels];
    for (int i = 0; i < PARAMETERS; i++) {
      Operand each = parameters[i];
      codec.load(each.memory(), each.offset(), each.stride(axis), numbers[i], 0, channels);
    }
    return numbers;
  }

  private static <A> ChannelRows<A> rows(
      Codec<A> codec, ColumnMath<A> math, double[][] numbers, double epsilon) {
    return ChannelRows.of(codec, math, numbers[0], numbers[1], numbers[2], numbers[3], epsilon);
  }

  private static ChannelNorm channelNorm(Operand[] parameters, int axis, double epsilon) {
    double[][] numbers = numbers(parameters, axis, DType.FLOAT32);
    int channels = numbers[0].length;
    float[] centre = new float[channels];
    float[] factor = new float[channels];
    float[] beta = new float[channels];
    for (int c = 0; c < channels; c++) {
      centre[c] = (float) numbers[2][c];
      factor[c] = (float) (numbers[0][c] / Math.sqrt(numbers[3][c] + epsilon));
      beta[c] = (float) numbers[1][c];
    }
    return new ChannelNorm(centre, factor, beta);
  }

  /** Normalizes runs in one thread. */
  private static final class Runs {
    private final Codec<double[]> codec;
    private final Operand[] parameters;
    private final Operand x;
    private final Operand out;
    private final Sweep sweep;
    private final boolean onePerRun;
    private final double epsilon;
    private final double[][] factors;
    private final double[] values;

    Runs(
        Codec<double[]> codec,
        Operand[] parameters,
        Operand x,
        Operand out,
        Sweep sweep,
        boolean onePerRun,
        double epsilon) {
      this.codec = codec;
      this.parameters = parameters;
      this.x = x;
      this.out = out;
      this.sweep = sweep;
      this.onePerRun = onePerRun;
      this.epsilon = epsilon;
      this.factors = new double[PARAMETERS][onePerRun ? 1 : sweep.runLength()];
      this.values = new double[sweep.runLength()];
    }

    void normalize(long[] at, int count) {
      load(at, onePerRun ? 1 : count);
      codec.load(x.memory(), at[PARAMETERS], sweep.step(PARAMETERS), values, 0, count);
      if (onePerRun) {
        one(count);
      } else {
        each(count);
      }
      int last = PARAMETERS + 1;
      codec.store(values, 0, count, out.memory(), at[last], sweep.step(last));
    }

    private void one(int count) {
      double mean = factors[2][0];
      double factor = factors[0][0] / Math.sqrt(factors[3][0] + epsilon);
      double beta = factors[1][0];
      for (int i = 0; i < count; i++) {
        values[i] = (values[i] - mean) * factor + beta;
      }
    }

    private void each(int count) {
      double[] gamma = factors[0];
      double[] beta = factors[1];
      double[] mean = factors[2];
      double[] variance = factors[3];
      for (int i = 0; i < count; i++) {
        double root = Math.sqrt(variance[i] + epsilon);
        values[i] = (values[i] - mean[i]) / root * gamma[i] + beta[i];
      }
    }

    /** A run within one channel. */
    void normalize(FloatRows rows, Codec<float[]> floats, float[] run, long[] at, int count) {
      load(at, 1);
      int last = PARAMETERS + 1;
      floats.load(x.memory(), at[PARAMETERS], sweep.step(PARAMETERS), run, 0, count);
      rows.normalize(
          run,
          count,
          (float) factors[2][0],
          (float) (1 / Math.sqrt(factors[3][0] + epsilon)),
          (float) factors[0][0],
          (float) factors[1][0]);
      floats.store(run, 0, count, out.memory(), at[last], sweep.step(last));
    }

    private void load(long[] at, int count) {
      for (int i = 0; i < PARAMETERS; i++) {
        codec.load(parameters[i].memory(), at[i], sweep.step(i), factors[i], 0, count);
      }
    }
  }
}
