package org.relaxvm.backendcpu.kernel.attention;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.kernel.Parallel;
import org.relaxvm.backendcpu.kernel.attention.BlockMath.Block;

/**
 * Attention that never holds all scores. For each block of keys, the scores of a few queries are
 * computed, made exponentials and multiplied with the values at once. A query remembers its largest
 * score so far; when a later block has a larger one, what was summed up is scaled down.
 */
public final class AttentionKernel {
  private static final int QUERIES = 256;
  private static final int LEAST_FOR_PANELS = 5;
  private static final int MOST_IN_PANELS = 512;
  private static final int UNITS_PER_THREAD = 4;
  private static final int ROWS = 8;
  private static final int KEYS = 128;

  private AttentionKernel() {}

  /**
   * {@code relaxvm.attention}.
   *
   * @param rows vector code for floats of up to 32 bits and few queries; null for none
   * @param panels vector code for floats of up to 32 bits and more queries; null for none
   * @param products vector code for float32 and few queries; null for none
   */
  public static CpuKernel of(
      @Nullable BlockMath<float[]> rows,
      @Nullable PanelMath panels,
      @Nullable Consumer<MatrixProduct> products) {
    PanelScratchPool pool = new PanelScratchPool();
    return call -> {
      AttentionCall attention = AttentionCall.of(call);
      DType dtype = call.output().dtype();
      boolean narrow = dtype.bits() <= Float.SIZE;
      if (panels != null && narrow && attention.queries() >= LEAST_FOR_PANELS) {
        runPanels(call, attention, call.floatCodec(dtype), panels, pool);
      } else if (rows != null && products != null && FewQueries.fits(attention, dtype)) {
        runFew(call, attention, call.floatCodec(dtype), rows, products);
      } else if (rows != null && narrow) {
        run(call, attention, call.floatCodec(dtype), rows);
      } else {
        run(call, attention, Codecs.wideFloat(dtype), new DoubleBlockMath());
      }
    };
  }

  private static void runFew(
      KernelCall call,
      AttentionCall attention,
      Codec<float[]> codec,
      BlockMath<float[]> math,
      Consumer<MatrixProduct> products) {
    Parallel.run(
        call.workers(),
        attention.batch() * attention.heads(),
        attention.queries() * attention.keys() * (attention.depth() + attention.width()),
        (from, to) -> {
          FewQueries worker = new FewQueries(attention, codec, math, products);
          for (long head = from; head < to; head++) {
            worker.compute(head / attention.heads(), head % attention.heads());
          }
        });
  }

  private static void runPanels(
      KernelCall call,
      AttentionCall attention,
      Codec<float[]> codec,
      PanelMath math,
      PanelScratchPool pool) {
    if (attention.width() == 0) {
      return;
    }
    long queries = attention.queries();
    long heads = attention.batch() * attention.heads();
    WorkerPool workers = call.workers();
    long wanted = workers == null ? 1 : (long) workers.parallelism() * UNITS_PER_THREAD;
    // Each unit loads all keys and values for itself: not more of them than threads need.
    long pieces = Math.clamp(Math.ceilDiv(wanted, Math.max(1, heads)), 1, queries);
    long panels = Math.ceilDiv(Math.ceilDiv(queries, pieces), (long) math.columns());
    int unit = (int) Math.min(panels * math.columns(), MOST_IN_PANELS);
    long units = Math.ceilDiv(queries, (long) unit);
    PanelScratch.Size size = PanelWorker.size(attention, math, (int) Math.min(unit, queries));
    Parallel.run(
        workers,
        heads * units,
        Math.min(unit, queries)
            * Math.max(1, attention.keys())
            * (attention.depth() + attention.width()),
        (from, to) -> {
          PanelScratch scratch = pool.take(size);
          PanelWorker worker = new PanelWorker(attention, codec, math, scratch);
          for (long number = from; number < to; number++) {
            long head = number / units;
            long first = number % units * unit;
            worker.compute(
                head / attention.heads(),
                head % attention.heads(),
                first,
                (int) Math.min(unit, queries - first));
          }
          pool.give(scratch);
        });
  }

  private static <A> void run(
      KernelCall call, AttentionCall attention, Codec<A> codec, BlockMath<A> math) {
    if (attention.width() == 0) {
      return;
    }
    long queries = attention.queries();
    long blocks = (queries + QUERIES - 1) / QUERIES;
    Parallel.run(
        call.workers(),
        attention.batch() * attention.heads() * blocks,
        Math.min(QUERIES, queries)
            * Math.max(1, attention.keys())
            * (attention.depth() + attention.width()),
        (from, to) -> {
          Worker<A> worker = new Worker<>(attention, codec, math);
          for (long unit = from; unit < to; unit++) {
            long head = unit / blocks;
            worker.compute(
                head / attention.heads(), head % attention.heads(), unit % blocks * QUERIES);
          }
        });
  }

  /** Computes blocks of queries in one thread. */
  private static final class Worker<A> {
    private final AttentionCall call;
    private final Codec<A> codec;
    private final BlockMath<A> math;
    private final int depth;
    private final int width;
    private final Block<A> queries;
    private final Block<A> keys;
    private final Block<A> values;
    private final Block<A> scores;
    private final Block<A> biases;
    private final Block<A> sums;
    private final A row;
    private final double[] largest;
    private final double[] divisors;

    Worker(AttentionCall call, Codec<A> codec, BlockMath<A> math) {
      this.call = call;
      this.codec = codec;
      this.math = math;
      this.depth = call.depth();
      this.width = call.width();
      int count = (int) Math.min(QUERIES, call.queries());
      int keyCount = (int) Math.min(KEYS, call.keys());
      this.queries = block(count, depth);
      this.keys = block(depth, keyCount);
      this.values = block(keyCount, width);
      this.scores = block(ROWS, keyCount);
      this.biases = block(ROWS, keyCount);
      this.sums = block(count, width);
      this.row = math.array(depth);
      this.largest = new double[count];
      this.divisors = new double[count];
    }

    private Block<A> block(int rows, int columns) {
      return new Block<>(math.array(Math.multiplyExact(rows, columns)), 0, columns);
    }

    void compute(long batch, long head, long first) {
      int count = (int) Math.min(QUERIES, call.queries() - first);
      load(call.q(), batch, first, head, count, queries, depth);
      math.scale(queries.values(), 0, count * depth, call.scale());
      codec.lanes().fill(sums.values(), 0, count * width, 0);
      Arrays.fill(largest, Double.NEGATIVE_INFINITY);
      Arrays.fill(divisors, 0);
      long readable = call.readable(first + count - 1);
      for (long key = 0; key < readable; key += KEYS) {
        int keyCount = (int) Math.min(KEYS, readable - key);
        loadKeys(batch, key, call.keyHead(head), keyCount);
        load(call.v(), batch, key, call.keyHead(head), keyCount, values, width);
        for (int start = 0; start < count; start += ROWS) {
          int rows = Math.min(ROWS, count - start);
          addBlock(batch, head, first, start, rows, key, keyCount);
        }
      }
      store(batch, first, head, count);
    }

    /** Adds what some queries read from a block of keys to their sums. */
    private void addBlock(
        long batch, long head, long first, int start, int rows, long key, int keyCount) {
      int last = readable(first + start + rows - 1, key, keyCount);
      if (last == 0) {
        return;
      }
      // A product of no columns, scaled by infinity, is not 0.
      double nothing = depth == 0 ? 0 * call.scale() : 0;
      codec.lanes().fill(scores.values(), 0, rows * scores.step(), nothing);
      math.multiplyAdd(scores, queries.row(start), rows, keys, depth, last);
      for (int i = 0; i < rows; i++) {
        int count = readable(first + start + i, key, keyCount);
        addBias(batch, head, first + start + i, i, key, count);
        soften(start + i, i, count);
      }
      // Queries that may read different numbers of keys share those that all may read: a weight
      // of 0 for the others would not do where a value is not finite.
      int shared = readable(first + start, key, keyCount);
      math.multiplyAdd(sums.row(start), scores, rows, values, shared, width);
      for (int i = 1; i < rows; i++) {
        int more = readable(first + start + i, key, keyCount) - shared;
        if (more > 0) {
          Block<A> weights = scores.row(i).column(shared);
          math.multiplyAdd(sums.row(start + i), weights, 1, values.row(shared), more, width);
        }
      }
    }

    private int readable(long query, long key, int keyCount) {
      return Math.clamp(call.readable(query) - key, 0, keyCount);
    }

    private void addBias(long batch, long head, long query, int row, long key, int count) {
      Operand bias = call.bias();
      if (bias != null) {
        long at = PanelWorker.place(bias, batch, head, query, key);
        int start = row * scores.step();
        codec.load(bias.memory(), at, bias.stride(3), biases.values(), start, start + count);
        A sum = scores.values();
        codec.lanes().binary(BinaryOp.ADD, sum, biases.values(), start, start + count);
      }
    }

    /** Makes a row of scores weights, for the largest score so far. */
    private void soften(int query, int row, int count) {
      int start = row * scores.step();
      double before = largest[query];
      double now = Math.max(before, math.largest(scores.values(), start, start + count));
      if (now == Double.NEGATIVE_INFINITY) {
        codec.lanes().fill(scores.values(), start, start + count, 0);
        return;
      }
      if (now != before) {
        double factor = Math.exp(before - now);
        math.scale(sums.values(), query * width, (query + 1) * width, factor);
        divisors[query] *= factor;
        largest[query] = now;
      }
      divisors[query] += math.exponentials(scores.values(), start, start + count, now);
    }

    private void load(
        Operand from, long batch, long first, long head, int rows, Block<A> to, int columns) {
      // Rows of nothing may lie outside of the memory.
      for (int i = 0; i < rows && columns > 0; i++) {
        long at = PanelWorker.place(from, batch, first + i, head, 0);
        int start = i * columns;
        codec.load(from.memory(), at, from.stride(3), to.values(), start, start + columns);
      }
    }

    /** Loads keys as columns. */
    private void loadKeys(long batch, long first, long head, int count) {
      for (int j = 0; j < count && depth > 0; j++) {
        long at = PanelWorker.place(call.k(), batch, first + j, head, 0);
        codec.load(call.k().memory(), at, call.k().stride(3), row, 0, depth);
        math.scatter(row, depth, keys.column(j));
      }
    }

    private void store(long batch, long first, long head, int count) {
      Operand out = call.out();
      for (int i = 0; i < count; i++) {
        int start = i * width;
        if (call.keys() > 0) {
          math.scale(sums.values(), start, start + width, 1 / divisors[i]);
        }
        long at = PanelWorker.place(out, batch, first + i, head, 0);
        codec.store(sums.values(), start, start + width, out.memory(), at, out.stride(3));
      }
    }
  }
}
