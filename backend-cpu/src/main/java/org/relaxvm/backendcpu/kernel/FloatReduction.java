package org.relaxvm.backendcpu.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/**
 * Reduces float32 elements that are neighbours along a reduced axis (lines) or along a kept axis
 * (rows). What is folded into one output is cut into parts whose size depends on the shape alone:
 * threads fold parts, and parts are put together in order.
 */
final class FloatReduction {
  /** Elements of a part, about. */
  private static final int PART = 1 << 16;

  private static final int SHORTEST_LINE = 128;
  private static final int SHORTEST_ROW = 16;

  private final FloatReducer fold;
  private final Operand in;
  private final Operand out;
  private final Sweep outputs;
  private final Sweep inputs;
  private final boolean rows;
  private final double divisor;
  private final long partRuns;
  private final long parts;
  private final double[][] partial;

  private FloatReduction(
      FloatReducer fold,
      Operand in,
      Operand out,
      Sweep outputs,
      Sweep inputs,
      boolean rows,
      double divisor) {
    this.fold = fold;
    this.in = in;
    this.out = out;
    this.outputs = outputs;
    this.inputs = inputs;
    this.rows = rows;
    this.divisor = divisor;
    this.partRuns = Math.max(1, PART / ((long) inputs.runLength() * outputs.runLength()));
    this.parts = (inputs.runs() + partRuns - 1) / partRuns;
    this.partial = new double[parts == 1 ? 0 : Math.toIntExact(parts * outputs.runs())][];
  }

  /**
   * The plan of a reduction, or null where elements are no near neighbours.
   *
   * @param kept the input along the kept axes
   * @param out the output along the kept axes, in their order
   * @param folded the input along the reduced axes
   * @param divisor of the results
   */
  static @Nullable FloatReduction of(
      FloatReducer fold, Operand kept, Operand out, Operand folded, double divisor) {
    Sweep lines = new Sweep(FloatReducer.LONGEST_LINE, folded);
    if (lines.step(0) == Float.BYTES && lines.runLength() >= SHORTEST_LINE) {
      return new FloatReduction(fold, kept, out, new Sweep(1, kept, out), lines, false, divisor);
    }
    Sweep across = new Sweep(FloatReducer.LONGEST_ROW, kept, out);
    if (across.step(0) == Float.BYTES && across.runLength() >= SHORTEST_ROW) {
      Sweep blocks = new Sweep(FloatReducer.MOST_ROWS, folded);
      return new FloatReduction(fold, kept, out, across, blocks, true, divisor);
    }
    return null;
  }

  /** Reduces. */
  void run(@Nullable WorkerPool workers) {
    long cost = Math.min(partRuns, inputs.runs()) * inputs.runLength() * outputs.runLength();
    Parallel.run(workers, outputs.runs() * parts, cost, (from, to) -> new Worker().fold(from, to));
    if (parts > 1) {
      new Worker().putTogether();
    }
  }

  /** Folds parts in one thread. */
  private final class Worker {
    private final Sweep.Walker outer = outputs.new Walker();
    private final Sweep.Walker inner = inputs.new Walker();
    private final Sweep.Visitor visitor = rows ? this::foldRows : this::foldLine;
    private final float[] scratch = new float[FloatReducer.SCRATCH];
    private final float[] row = new float[rows ? FloatReducer.SCRATCH : 0];
    private double[] results = new double[rows ? outputs.runLength() : 1];
    private boolean empty;
    private int count;
    private long unit;

    void fold(long from, long to) {
      for (unit = from; unit < to; unit++) {
        long output = unit / parts;
        outer.walk(output, output + 1, this::foldPart);
      }
    }

    private void foldPart(long[] at, int outputCount) {
      count = outputCount;
      empty = true;
      long first = unit % parts * partRuns;
      inner.origin(0, at[0]);
      inner.walk(first, Math.min(inputs.runs(), first + partRuns), visitor);
      if (parts == 1) {
        store(at[1]);
      } else {
        partial[(int) unit] = Arrays.copyOf(results, count);
      }
    }

    private void foldLine(long[] at, int length) {
      double value = fold.line(in.memory(), at[0], length, scratch);
      results[0] = empty ? value : fold.apply(results[0], value);
      empty = false;
    }

    private void foldRows(long[] at, int length) {
      fold.rows(in.memory(), at[0], inputs.step(0), length, count, row, scratch);
      for (int i = 0; empty && i < count; i++) {
        results[i] = row[i];
      }
      if (!empty) {
        fold.apply(results, row, count);
      }
      empty = false;
    }

    void putTogether() {
      unit = 0;
      outer.walk(0, outputs.runs(), this::putTogether);
    }

    private void putTogether(long[] at, int outputCount) {
      count = outputCount;
      results = partial[(int) unit++];
      for (int part = 1; part < parts; part++) {
        double[] next = partial[(int) unit++];
        for (int i = 0; i < count; i++) {
          results[i] = fold.apply(results[i], next[i]);
        }
      }
      store(at[1]);
    }

    private void store(long at) {
      for (int i = 0; i < count; i++) {
        float value = (float) (results[i] / divisor);
        out.memory().set(JAVA_FLOAT_UNALIGNED, at + i * outputs.step(1), value);
      }
    }
  }
}
