package org.relaxvm.backendcpu.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;

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
  private static final long TINY = 64;
  private static final long NOWHERE = Long.MIN_VALUE;

  /** Computes in vector code where there is some for the dtype. */
  void run(KernelCall call, @Nullable LineMath vectors) {
    long length = 1;
    for (int axis : reduced) {
      length *= x.dim(axis);
    }
    ColumnLayout layout = isTiny() ? null : ColumnLayout.of(this, dtype.elementByteSize());
    if (layout != null) {
      columns(call, layout, vectors);
      return;
    }
    FloatRows rows = vectors == null ? null : vectors.rows();
    Sweep lines = new Sweep(1, x.axes(kept), gamma.axes(kept), beta.axes(kept), out.axes(kept));
    Sweep runs =
        new Sweep(RUN, x.axes(reduced), gamma.axes(reduced), beta.axes(reduced), out.axes(reduced));
    double count = length;
    Parallel.run(
        call.workers(),
        length == 0 ? 0 : lines.runs(),
        length * COST_PER_ELEMENT,
        (from, to) -> {
          if (rows == null || dtype.bits() > Float.SIZE) {
            DoubleRows wide = vectors == null ? new PortableRows() : vectors.doubleRows();
            WideLine line = new WideLine(Codecs.wideFloat(dtype), wide, this, runs, count);
            lines.new Walker().walk(from, to, (at, one) -> line.normalize(at));
          } else {
            FloatLine line = new FloatLine(call.floatCodec(dtype), rows, this, runs, count);
            lines.new Walker().walk(from, to, (at, one) -> line.normalize(at));
          }
        });
  }

  /** Whether there is so little to do that one line after the other is the fastest. */
  private boolean isTiny() {
    long elements = 1;
    for (long dim : x.dims()) {
      elements *= dim;
    }
    return elements < TINY;
  }

  private void columns(KernelCall call, ColumnLayout layout, @Nullable LineMath vectors) {
    if (vectors == null || dtype.bits() > Float.SIZE) {
      ColumnMath<double[]> math = vectors == null ? new PortableColumns() : vectors.doubles();
      Codec<double[]> codec = Codecs.wideFloat(dtype);
      new ColumnNorm<>(call.workers(), layout, () -> new ColumnPass<>(this, layout, codec, math))
          .run();
    } else {
      ColumnMath<float[]> math = vectors.floats();
      Codec<float[]> codec = call.floatCodec(dtype);
      new ColumnNorm<>(call.workers(), layout, () -> new ColumnPass<>(this, layout, codec, math))
          .run();
    }
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

  /** Computes in float64. What lies in one run is read once. */
  private static final class WideLine extends Line {
    private final Codec<double[]> codec;
    private final DoubleRows rows;
    private final double[] values;
    private final double[] gammas;
    private final double[] betas;
    private final boolean oneRun;
    private boolean loaded;
    private long gammasAt = NOWHERE;
    private long betasAt = NOWHERE;
    private double scale;

    WideLine(Codec<double[]> codec, DoubleRows rows, Normalization plan, Sweep runs, double count) {
      super(plan, runs, count);
      this.codec = codec;
      this.rows = rows;
      this.values = new double[runs.runLength()];
      this.gammas = new double[runs.runLength()];
      this.betas = new double[runs.runLength()];
      this.oneRun = runs.runs() == 1;
    }

    @Override
    void addElements(long[] at, int length) {
      load(at[0], length);
      sum += rows.sum(values, length);
    }

    @Override
    void addSquares(long[] at, int length) {
      load(at[0], length);
      sum += rows.squares(values, length, centre);
    }

    @Override
    void scale(double factor) {
      scale = factor;
    }

    @Override
    void store(long[] at, int length) {
      load(at[0], length);
      loaded = false;
      if (at[1] != gammasAt || !oneRun) {
        codec.load(plan.gamma().memory(), at[1], runs.step(1), gammas, 0, length);
        gammasAt = at[1];
      }
      if (at[2] != betasAt || !oneRun) {
        codec.load(plan.beta().memory(), at[2], runs.step(2), betas, 0, length);
        betasAt = at[2];
      }
      rows.normalize(values, length, centre, scale, gammas, betas);
      codec.store(values, 0, length, plan.out().memory(), at[3], runs.step(3));
    }

    private void load(long at, int length) {
      if (!loaded) {
        codec.load(plan.x().memory(), at, runs.step(0), values, 0, length);
        loaded = oneRun;
      }
    }
  }

  /** Computes in float32, in vector code. What lies in one run is read once. */
  private static final class FloatLine extends Line {
    private final Codec<float[]> codec;
    private final FloatRows rows;
    private final float[] values;
    private final float[] gammas;
    private final float[] betas;
    private final boolean oneRun;
    private final boolean oneFactor;
    private long gammasAt = NOWHERE;
    private long betasAt = NOWHERE;
    private boolean loaded;
    private float scale;

    FloatLine(Codec<float[]> codec, FloatRows rows, Normalization plan, Sweep runs, double count) {
      super(plan, runs, count);
      this.codec = codec;
      this.rows = rows;
      this.values = new float[runs.runLength()];
      this.gammas = new float[runs.runLength()];
      this.betas = new float[runs.runLength()];
      this.oneRun = runs.runs() == 1;
      this.oneFactor = runs.step(1) == 0 && runs.step(2) == 0;
    }

    @Override
    void addElements(long[] at, int length) {
      load(at[0], length);
      sum += rows.sum(values, length);
    }

    @Override
    void addSquares(long[] at, int length) {
      load(at[0], length);
      sum += rows.squares(values, length, (float) centre);
    }

    @Override
    void scale(double factor) {
      scale = (float) factor;
    }

    @Override
    void store(long[] at, int length) {
      load(at[0], length);
      loaded = false;
      int factors = oneFactor ? 1 : length;
      if (at[1] != gammasAt || !oneRun) {
        codec.load(plan.gamma().memory(), at[1], runs.step(1), gammas, 0, factors);
        gammasAt = at[1];
      }
      if (at[2] != betasAt || !oneRun) {
        codec.load(plan.beta().memory(), at[2], runs.step(2), betas, 0, factors);
        betasAt = at[2];
      }
      float middle = (float) centre;
      if (oneFactor) {
        rows.normalize(values, length, middle, scale, gammas[0], betas[0]);
      } else {
        rows.normalize(values, length, middle, scale, gammas, betas);
      }
      codec.store(values, 0, length, plan.out().memory(), at[3], runs.step(3));
    }

    private void load(long at, int length) {
      if (!loaded) {
        codec.load(plan.x().memory(), at, runs.step(0), values, 0, length);
        loaded = oneRun;
      }
    }
  }
}
