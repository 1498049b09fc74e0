package org.relaxvm.backendcpu.kernel.attention;

import java.util.Arrays;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;

/**
 * Attention in panels of queries, in one thread. Scores have a column for each query of a panel and
 * a row for each key of a block, so that largest scores and sums are found without looking across a
 * vector, and queries are all that is transposed.
 */
final class PanelWorker {
  /** Scores of a block stay in near memory; fewer would load and store sums more often. */
  private static final int KEYS = 132;

  /** Weights of at most {@code exp(8)} lose nothing, and spare the scaling of sums. */
  private static final float SLACK = 8;

  private final AttentionCall call;
  private final Codec<float[]> codec;
  private final PanelMath math;
  private final PanelScratch scratch;
  private final int depth;
  private final int width;
  private final int lanes;
  // Of a row of values, and rows of a block.
  private final int strip;
  private final int sumsRow;
  private final int block;
  // Of a key, and the elements of all but the last one.
  private final int pieces;
  private final int piece;
  private final float[][] sums;
  private final float[] keys;
  private final float[] values;
  private final float[] scores;
  // Whether all values of the block are finite, once somebody asked.
  private boolean asked;
  private boolean finite;

  /**
   * A worker.
   *
   * @param scratch of the size that {@link #size} tells
   */
  PanelWorker(AttentionCall call, Codec<float[]> codec, PanelMath math, PanelScratch scratch) {
    this.call = call;
    this.codec = codec;
    this.math = math;
    this.scratch = scratch;
    this.depth = call.depth();
    this.width = call.width();
    this.lanes = math.columns();
    this.strip = math.strip();
    this.sumsRow = scratch.size.sumsRow();
    this.block = scratch.size.block();
    this.pieces = scratch.size.pieces();
    this.piece = Math.ceilDiv(depth, Math.max(1, pieces));
    this.sums = scratch.sums;
    this.keys = scratch.keys;
    this.values = scratch.values;
    this.scores = scratch.scores;
  }

  /**
   * The size of the scratch memory of a worker.
   *
   * @param most queries that are computed at once
   */
  static PanelScratch.Size size(AttentionCall call, PanelMath math, int most) {
    int strip = math.strip();
    return new PanelScratch.Size(
        Math.ceilDiv(most, math.columns()),
        math.columns(),
        call.depth(),
        Math.multiplyExact(Math.ceilDiv(call.width(), strip), strip),
        Math.ceilDiv((int) Math.min(KEYS, call.keys()), math.rows()) * math.rows(),
        strip,
        math.keyStep());
  }

  /** Computes the queries of a head from {@code first} on. */
  void compute(long batch, long head, long first, int count) {
    int panels = Math.ceilDiv(count, lanes);
    loadQueries(batch, head, first, count);
    for (int i = 0; i < panels; i++) {
      Arrays.fill(sums[i], 0);
      Arrays.fill(scratch.shifts[i], Float.NEGATIVE_INFINITY);
      // While there is nothing but negative infinity: weights of 0.
      Arrays.fill(scratch.usedShifts[i], 0);
      Arrays.fill(scratch.divisors[i], 0);
    }
    long readable = call.readable(first + count - 1);
    for (long key = 0; key < readable; key += KEYS) {
      int keyCount = (int) Math.min(KEYS, readable - key);
      loadKeys(batch, call.keyHead(head), key, keyCount);
      loadValues(batch, call.keyHead(head), key, keyCount);
      for (int i = 0; i < panels; i++) {
        int from = i * lanes;
        addBlock(i, batch, head, first + from, Math.min(lanes, count - from), key, keyCount);
      }
    }
    store(batch, head, first, count);
  }

  /** Adds what the queries of a panel read from a block of keys to their sums. */
  private void addBlock(
      int panel, long batch, long head, long first, int count, long key, int keyCount) {
    int last = readable(first + count - 1, key, keyCount);
    if (last == 0) {
      return;
    }
    int shared = readable(first, key, keyCount);
    computeScores(scratch.queries[panel], last, count);
    addBias(batch, head, first, count, key, last);
    for (int i = 0; i < count && shared < last; i++) {
      for (int j = readable(first + i, key, keyCount); j < last; j++) {
        scores[j * lanes + i] = Float.NEGATIVE_INFINITY;
      }
    }
    soften(panel, last, count);
    if (shared == last || finite(keyCount)) {
      addValues(sums[panel], last, count);
    } else {
      // A weight of 0 for keys that a query may not read would not do here.
      addValues(sums[panel], shared, count);
      for (int i = 0; i < count; i++) {
        int own = readable(first + i, key, keyCount);
        for (int j = shared; j < own; j++) {
          addValue(sums[panel], i, j);
        }
      }
    }
  }

  private int readable(long query, long key, int keyCount) {
    return Math.clamp(call.readable(query) - key, 0, keyCount);
  }

  private void computeScores(float[] panel, int keyCount, int count) {
    if (depth == 0) {
      // A product of no columns, scaled by infinity, is not 0.
      Arrays.fill(scores, (float) (0 * call.scale()));
      return;
    }
    computeScores(panel, 0, piece, keyCount, count, scores);
    for (int i = 1; i < pieces; i++) {
      int length = Math.min(piece, depth - i * piece);
      computeScores(panel, i, length, keyCount, count, scratch.more);
      math.add(scores, scratch.more, keyCount);
    }
  }

  private void computeScores(
      float[] panel, int number, int length, int keyCount, int count, float[] to) {
    int step = math.keyStep();
    int first = number * block;
    int start = number * piece * strip;
    for (int i = 0; i < count; i += strip) {
      int queries = i * depth + start;
      for (int j = 0; j < keyCount; j += math.rows()) {
        math.scores(keys, (first + j) * step, length, panel, queries, to, j * lanes + i);
      }
    }
  }

  private void addBias(long batch, long head, long first, int count, long key, int keyCount) {
    Operand bias = call.bias();
    if (bias == null) {
      return;
    }
    boolean same = bias.stride(2) == 0;
    float[] row = scratch.row;
    for (int i = 0; i < count; i++) {
      if (i == 0 || !same) {
        long at = place(bias, batch, head, first + i, key);
        codec.load(bias.memory(), at, bias.stride(3), row, 0, keyCount);
      }
      for (int j = 0; j < keyCount; j++) {
        scores[j * lanes + i] += row[j];
      }
    }
  }

  /**
   * Makes scores weights: exponentials of what is left without the shift of each query. It is a
   * score that was the largest so far, and grows only when another one is much larger.
   */
  private void soften(int panel, int keyCount, int count) {
    float[] shift = scratch.shifts[panel];
    float[] largest = scratch.largest;
    int columns = Math.ceilDiv(count, strip) * strip;
    System.arraycopy(shift, 0, largest, 0, columns);
    math.largest(scores, keyCount, columns, largest);
    if (math.exceed(largest, shift, SLACK, columns)) {
      for (int i = 0; i < columns; i++) {
        if (largest[i] - SLACK > shift[i]) {
          raise(panel, i, largest[i]);
        }
      }
    }
    math.exponentials(
        scores, keyCount, columns, scratch.usedShifts[panel], scratch.divisors[panel]);
  }

  private void raise(int panel, int query, float to) {
    float before = scratch.shifts[panel][query];
    if (before != Float.NEGATIVE_INFINITY) {
      float factor = (float) Math.exp(before - to);
      scratch.divisors[panel][query] *= factor;
      scale(sums[panel], query * sumsRow, factor);
    }
    scratch.shifts[panel][query] = to;
    scratch.usedShifts[panel][query] = to;
  }

  private void scale(float[] x, int from, float factor) {
    for (int i = from; i < from + width; i++) {
      x[i] *= factor;
    }
  }

  private void addValues(float[] to, int keyCount, int count) {
    for (int i = 0; i < count; i += math.rows()) {
      for (int j = 0; j < width; j += strip) {
        math.addValues(scores, i, keyCount, values, j * block, to, i * sumsRow + j, sumsRow);
      }
    }
  }

  private void addValue(float[] to, int query, int key) {
    float weight = scores[key * lanes + query];
    for (int d = 0; d < width; d++) {
      int at = query * sumsRow + d;
      to[at] =
          Math.fma(weight, values[d / strip * strip * block + key * strip + d % strip], to[at]);
    }
  }

  private void loadQueries(long batch, long head, long first, int count) {
    for (int i = 0; i < count; i += strip) {
      int rows = Math.min(strip, count - i);
      load(call.q(), batch, first + i, head, 0, rows, depth, scratch.lines, 0, depth);
      float[] panel = scratch.queries[i / lanes];
      math.transpose(scratch.lines, rows, depth, (float) call.scale(), panel, i % lanes * depth);
    }
  }

  private void loadKeys(long batch, long head, long first, int count) {
    int step = math.keyStep();
    for (int i = 0; i < pieces; i++) {
      int length = Math.min(piece, depth - i * piece);
      load(call.k(), batch, first, head, i * piece, count, length, keys, i * block * step, step);
    }
  }

  private void loadValues(long batch, long head, long first, int count) {
    asked = false;
    for (int d = 0; d < width; d += strip) {
      int columns = Math.min(strip, width - d);
      load(call.v(), batch, first, head, d, count, columns, values, d * block, strip);
    }
  }

  /** Whether all values of the block are finite. */
  private boolean finite(int count) {
    if (!asked) {
      asked = true;
      finite = true;
      for (int d = 0; d < width; d += strip) {
        finite &= math.finite(values, d * block, count);
      }
    }
    return finite;
  }

  /** Loads pieces of rows. */
  private void load(
      Operand from,
      long batch,
      long first,
      long head,
      int column,
      int rows,
      int columns,
      float[] to,
      int at,
      int step) {
    // Rows of nothing may lie outside of the memory.
    if (columns == 0) {
      return;
    }
    long place = place(from, batch, first, head, column);
    long next = from.stride(1);
    if (codec.bytes() == Float.BYTES && from.stride(3) == Float.BYTES) {
      math.load(from.memory(), place, next, rows, columns, to, at, step);
    } else {
      for (int i = 0; i < rows; i++) {
        int start = at + i * step;
        codec.load(from.memory(), place + i * next, from.stride(3), to, start, start + columns);
      }
    }
  }

  private void store(long batch, long head, long first, int count) {
    Operand out = call.out();
    boolean direct =
        call.keys() > 0
            && codec.bytes() == Float.BYTES
            && out.stride(3) == Float.BYTES
            && out.memory().isNative();
    for (int i = 0; i < count; i += lanes) {
      int rows = Math.min(lanes, count - i);
      float[] panel = sums[i / lanes];
      float[] divisors = scratch.divisors[i / lanes];
      if (direct) {
        long to = place(out, batch, first + i, head, 0);
        math.store(panel, sumsRow, divisors, rows, width, out.memory(), to, out.stride(1));
      } else {
        storeOneByOne(panel, divisors, batch, head, first + i, rows);
      }
    }
  }

  private void storeOneByOne(
      float[] panel, float[] divisors, long batch, long head, long first, int rows) {
    Operand out = call.out();
    for (int i = 0; i < rows; i++) {
      int from = i * sumsRow;
      if (call.keys() > 0) {
        scale(panel, from, 1 / divisors[i]);
      }
      long to = place(out, batch, first + i, head, 0);
      codec.store(panel, from, from + width, out.memory(), to, out.stride(3));
    }
  }

  static long place(Operand operand, long i, long j, long k, long l) {
    return operand.offset()
        + i * operand.stride(0)
        + j * operand.stride(1)
        + k * operand.stride(2)
        + l * operand.stride(3);
  }
}
