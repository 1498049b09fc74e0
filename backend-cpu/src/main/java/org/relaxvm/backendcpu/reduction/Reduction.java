package org.relaxvm.backendcpu.reduction;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.Parallel;

/**
 * Reduces lines of elements, several lines at once, or whole rows into each other. What is folded
 * into one run of outputs is cut into parts whose size depends on the shape alone: threads fold
 * parts, and parts are put together in order.
 *
 * @param <R> the array type of results
 */
final class Reduction<R> {
  /** Elements of a part, about. */
  private static final int PART = 1 << 17;

  /** Elements of the lines that are folded at once, about. */
  private static final long LINES = 1 << 14;

  private static final int MOST_LINES = 512;

  private final BinaryOp op;
  private final Codec<R> codec;
  private final Lanes<R> lanes;
  private final double divisor;
  private final Operand in;
  private final Operand out;
  private final boolean rows;
  private final Sweep outputs;
  private final Sweep inputs;
  private final long partRuns;
  private final long parts;

  /**
   * A plan.
   *
   * @param codec of results
   * @param divisor of results
   * @param kept the input along the kept axes
   * @param out the output along the kept axes, in their order
   * @param folded the input along the reduced axes, which may be empty
   */
  Reduction(
      BinaryOp op,
      Codec<R> codec,
      double divisor,
      Operand kept,
      Operand out,
      Operand folded,
      long each) {
    this.op = op;
    this.codec = codec;
    this.lanes = codec.lanes();
    this.divisor = divisor;
    this.in = kept;
    this.out = out;
    Sweep line = new Sweep(Reducer.LONGEST_LINE, folded);
    Sweep row = new Sweep(Reducer.LONGEST_ROW, kept, out);
    this.rows = Math.abs(row.step(0)) < Math.abs(line.step(0)) && row.runLength() > 1;
    if (rows) {
      this.outputs = row;
      this.inputs = new Sweep(Reducer.MOST_ROWS, folded);
    } else {
      int most = Math.clamp(LINES / Math.max(1, each), 1, MOST_LINES);
      this.outputs = new Sweep(most, kept, out);
      this.inputs = line;
    }
    this.partRuns = Math.max(1, PART / ((long) inputs.runLength() * outputs.runLength() + 1));
    this.parts = Math.max(1, (inputs.runs() + partRuns - 1) / partRuns);
  }

  /** Bytes between the elements that are neighbours in a line or row. */
  long step() {
    return rows ? outputs.step(0) : inputs.step(0);
  }

  /** Reduces. */
  void run(@Nullable WorkerPool workers, Supplier<Reducer<R>> reducers) {
    long cost = Math.min(partRuns, inputs.runs()) * inputs.runLength() * outputs.runLength();
    int kept = parts == 1 ? 0 : Math.toIntExact(parts * outputs.runs());
    R[] partial = lanes.arrays(kept, outputs.runLength());
    Parallel.run(
        workers,
        outputs.runs() * parts,
        cost,
        (from, to) -> new Worker(reducers.get(), partial).fold(from, to));
    if (parts > 1) {
      putTogether(partial);
    }
  }

  private void putTogether(R[] partial) {
    R divisors = lanes.array(outputs.runLength());
    int[] next = new int[1];
    outputs.forEach(
        (at, count) -> {
          R results = partial[next[0]++];
          for (int part = 1; part < parts; part++) {
            lanes.binary(op, results, partial[next[0]++], 0, count);
          }
          store(results, divisors, at[1], count);
        });
  }

  private void store(R results, R divisors, long at, int count) {
    if (divisor != 1) {
      lanes.fill(divisors, 0, count, divisor);
      lanes.binary(BinaryOp.DIVIDE, results, divisors, 0, count);
    }
    codec.store(results, 0, count, out.memory(), at, outputs.step(1));
  }

  /** Folds parts in one thread. */
  private final class Worker {
    private final Reducer<R> reducer;
    private final R[] partial;
    private final Sweep.Walker outer = outputs.new Walker();
    private final Sweep.Walker inner = inputs.new Walker();
    private final Sweep.Visitor part = this::foldPart;
    private final Sweep.Visitor run = rows ? this::foldRows : this::foldLines;
    private final R next = lanes.array(outputs.runLength());
    private R results = lanes.array(parts == 1 ? outputs.runLength() : 0);
    private boolean empty;
    private int count;
    private long unit;

    Worker(Reducer<R> reducer, R[] partial) {
      this.reducer = reducer;
      this.partial = partial;
    }

    void fold(long from, long to) {
      if (parts == 1) {
        outer.walk(from, to, part);
        return;
      }
      for (unit = from; unit < to; unit++) {
        results = partial[(int) unit];
        outer.walk(unit / parts, unit / parts + 1, part);
      }
    }

    private void foldPart(long[] at, int outputCount) {
      count = outputCount;
      empty = true;
      long first = parts == 1 ? 0 : unit % parts * partRuns;
      inner.origin(0, at[0]);
      inner.walk(first, Math.min(inputs.runs(), first + partRuns), run);
      if (empty) {
        lanes.fill(results, 0, count, op == BinaryOp.MULTIPLY ? 1 : 0);
      }
      if (parts == 1) {
        store(results, next, at[1], count);
      }
    }

    private void foldLines(long[] at, int length) {
      R into = empty ? results : next;
      reducer.lines(in.memory(), at[0], outputs.step(0), count, length, into);
      combine();
    }

    private void foldRows(long[] at, int length) {
      R into = empty ? results : next;
      reducer.rows(in.memory(), at[0], inputs.step(0), length, count, into);
      combine();
    }

    private void combine() {
      if (!empty) {
        lanes.binary(op, results, next, 0, count);
      }
      empty = false;
    }
  }
}
