package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/**
 * What the normalizations that compute their own statistics have in common: lines of elements, each
 * with the mean and the variance that its elements are normalized with. All operands have the axes
 * of {@code x}.
 *
 * @param reduced the axes of a line, in ascending order
 * @param kept the other axes
 * @param centred whether the mean is subtracted
 */
record Normalization(
    DType dtype,
    Operand x,
    Operand gamma,
    Operand beta,
    Operand out,
    int[] reduced,
    int[] kept,
    double epsilon,
    boolean centred) {
  private static final int RUN = 4096;
  private static final long COST_PER_ELEMENT = 4;

  /** Computes in vector code where there is some for the dtype. */
  void run(KernelCall call, @Nullable FloatRows rows) {
    Sweep lines = new Sweep(1, x.axes(kept), gamma.axes(kept), beta.axes(kept), out.axes(kept));
    Sweep runs =
        new Sweep(RUN, x.axes(reduced), gamma.axes(reduced), beta.axes(reduced), out.axes(reduced));
    long length = 1;
    for (int axis : reduced) {
      length *= x.dim(axis);
    }
    double count = length;
    Parallel.run(
        call.workers(),
        length == 0 ? 0 : lines.runs(),
        length * COST_PER_ELEMENT,
        (from, to) -> {
          if (rows == null || dtype.bits() > Float.SIZE) {
            WideLine line = new WideLine(Codecs.wideFloat(dtype), this, runs, count);
            lines.new Walker().walk(from, to, (at, one) -> line.normalize(at));
          } else {
            try (FloatLine line = new FloatLine(call.floatCodec(dtype), rows, this, runs, count)) {
              lines.new Walker().walk(from, to, (at, one) -> line.normalize(at));
            }
          }
        });
  }

  /** The operand of a number, with the axes of another one. */
  static Operand constant(double value, DType dtype, Operand like) {
    MemorySegment memory = MemorySegment.ofArray(new byte[Double.BYTES]);
    Codecs.wideFloat(dtype).store(new double[] {value}, 0, 1, memory, 0, 0);
    return new Operand(memory, 0, like.dims(), new long[like.rank()]);
  }

  /** The walk over a line that both ways of computing share. */
  private abstract static class Line {
    final Normalization plan;
    final Sweep runs;
    private final Sweep.Walker walker;
    private final double count;
    double centre;
    double sum;

    Line(Normalization plan, Sweep runs, double count) {
      this.plan = plan;
      this.runs = runs;
      this.walker = runs.new Walker();
      this.count = count;
    }

    void normalize(long[] at) {
      for (int i = 0; i < at.length; i++) {
        walker.origin(i, at[i]);
      }
      centre = 0;
      if (plan.centred()) {
        sum = 0;
        walker.walk(0, runs.runs(), this::addElements);
        centre = sum / count;
      }
      sum = 0;
      walker.walk(0, runs.runs(), this::addSquares);
      scale(1 / Math.sqrt(sum / count + plan.epsilon()));
      walker.walk(0, runs.runs(), this::store);
    }

    abstract void addElements(long[] at, int length);

    abstract void addSquares(long[] at, int length);

    abstract void scale(double factor);

    abstract void store(long[] at, int length);
  }

  /** Computes in float64. */
  private static final class WideLine extends Line {
    private final Codec<double[]> codec;
    private final double[] values;
    private final double[] gammas;
    private final double[] betas;
    private double scale;

    WideLine(Codec<double[]> codec, Normalization plan, Sweep runs, double count) {
      super(plan, runs, count);
      this.codec = codec;
      this.values = new double[runs.runLength()];
      this.gammas = new double[runs.runLength()];
      this.betas = new double[runs.runLength()];
    }

    @Override
    void addElements(long[] at, int length) {
      load(plan.x(), 0, at, values, length);
      for (int i = 0; i < length; i++) {
        sum += values[i];
      }
    }

    @Override
    void addSquares(long[] at, int length) {
      load(plan.x(), 0, at, values, length);
      for (int i = 0; i < length; i++) {
        double distance = values[i] - centre;
        sum += distance * distance;
      }
    }

    @Override
    void scale(double factor) {
      scale = factor;
    }

    @Override
    void store(long[] at, int length) {
      load(plan.x(), 0, at, values, length);
      load(plan.gamma(), 1, at, gammas, length);
      load(plan.beta(), 2, at, betas, length);
      for (int i = 0; i < length; i++) {
        values[i] = (values[i] - centre) * scale * gammas[i] + betas[i];
      }
      codec.store(values, 0, length, plan.out().memory(), at[3], runs.step(3));
    }

    private void load(Operand operand, int number, long[] at, double[] into, int length) {
      codec.load(operand.memory(), at[number], runs.step(number), into, 0, length);
    }
  }

  /** Computes in float32, in vector code. */
  private static final class FloatLine extends Line implements AutoCloseable {
    private final Codec<float[]> codec;
    private final FloatRows rows;
    private final RowStage x;
    private final RowStage gamma;
    private final RowStage beta;
    private final RowStage out;
    private final boolean oneFactor;
    private final float[] factors = new float[2];
    private float scale;

    FloatLine(Codec<float[]> codec, FloatRows rows, Normalization plan, Sweep runs, double count) {
      super(plan, runs, count);
      this.codec = codec;
      this.rows = rows;
      this.x = new RowStage(codec, runs.runLength());
      this.gamma = new RowStage(codec, runs.runLength());
      this.beta = new RowStage(codec, runs.runLength());
      this.out = new RowStage(codec, runs.runLength());
      this.oneFactor = runs.step(1) == 0 && runs.step(2) == 0;
    }

    @Override
    void addElements(long[] at, int length) {
      x.read(plan.x().memory(), at[0], runs.step(0), length);
      sum += rows.sum(x.memory(), x.at(), length);
    }

    @Override
    void addSquares(long[] at, int length) {
      x.read(plan.x().memory(), at[0], runs.step(0), length);
      sum += rows.squares(x.memory(), x.at(), length, (float) centre);
    }

    @Override
    void scale(double factor) {
      scale = (float) factor;
    }

    @Override
    void store(long[] at, int length) {
      x.read(plan.x().memory(), at[0], runs.step(0), length);
      boolean inPlace = out.write(plan.out().memory(), at[3], runs.step(3));
      float shift = (float) centre;
      if (oneFactor) {
        codec.load(plan.gamma().memory(), at[1], 0, factors, 0, 1);
        codec.load(plan.beta().memory(), at[2], 0, factors, 1, 2);
        rows.normalize(
            x.memory(),
            x.at(),
            out.memory(),
            out.at(),
            length,
            shift,
            scale,
            factors[0],
            factors[1]);
      } else {
        gamma.read(plan.gamma().memory(), at[1], runs.step(1), length);
        beta.read(plan.beta().memory(), at[2], runs.step(2), length);
        rows.normalize(
            x.memory(),
            x.at(),
            out.memory(),
            out.at(),
            length,
            shift,
            scale,
            gamma.memory(),
            gamma.at(),
            beta.memory(),
            beta.at());
      }
      if (!inPlace) {
        out.store(plan.out().memory(), at[3], runs.step(3), length);
      }
    }

    @Override
    public void close() {
      x.close();
      gamma.close();
      beta.close();
      out.close();
    }
  }
}
