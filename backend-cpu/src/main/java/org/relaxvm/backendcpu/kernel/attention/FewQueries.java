package org.relaxvm.backendcpu.kernel.attention;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.relaxvm.api.DType;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.kernel.MatrixProduct;

/**
 * Attention of a few queries of float32, in one thread: all scores of a head at once, by skinny
 * GEMMs, which read keys and values where they lie.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why is attention of up to four queries two skinny
 * GEMMs?"
 */
final class FewQueries {
  /** Scores of a head that are held at once. */
  private static final long MOST_SCORES = 1 << 20;

  private final AttentionCall call;
  private final Codec<float[]> codec;
  private final BlockMath<float[]> math;
  private final Consumer<MatrixProduct> products;
  private final int rows;
  private final int depth;
  private final int width;
  private final int keys;
  private final float[] queries;
  private final float[] scores;
  private final float[] sums;
  private final float[] biases;

  FewQueries(
      AttentionCall call,
      Codec<float[]> codec,
      BlockMath<float[]> math,
      Consumer<MatrixProduct> products) {
    this.call = call;
    this.codec = codec;
    this.math = math;
    this.products = products;
    rows = (int) call.queries();
    depth = call.depth();
    width = call.width();
    keys = (int) call.readable(rows - 1L);
    queries = new float[rows * depth];
    scores = new float[rows * keys];
    sums = new float[rows * width];
    biases = new float[call.bias() == null ? 0 : keys];
  }

  /** Whether a call of few queries goes this way; none of it is empty then. */
  static boolean fits(AttentionCall call, DType dtype) {
    return dtype.equals(DType.FLOAT32)
        && call.depth() > 0
        && call.width() > 0
        && call.queries() > 0
        && call.keys() > 0
        && call.queries() * Math.max(call.keys(), Math.max(call.depth(), call.width()))
            <= MOST_SCORES;
  }

  /** Computes all queries of a head. */
  void compute(long batch, long head) {
    long keyHead = call.keyHead(head);
    loadQueries(batch, head);
    multiply(queries, depth, 0, rows, matrix(call.k(), batch, keyHead, keys).axes(1, 0), scores);
    double[] divisors = new double[rows];
    for (int i = 0; i < rows; i++) {
      divisors[i] = soften(batch, head, i);
    }
    // Keys that a mask excludes have no weight: 0 would not do where a value is not finite.
    int together = call.readable(0) == keys ? rows : 1;
    for (int i = 0; i < rows; i += together) {
      int count = (int) call.readable(i);
      multiply(scores, count, i, together, matrix(call.v(), batch, keyHead, count), sums);
    }
    Operand out = call.out();
    for (int i = 0; i < rows; i++) {
      int start = i * width;
      math.scale(sums, start, start + width, 1 / divisors[i]);
      long at = PanelWorker.place(out, batch, i, head, 0);
      codec.store(sums, start, start + width, out.memory(), at, out.stride(3));
    }
  }

  private void loadQueries(long batch, long head) {
    Operand q = call.q();
    for (int i = 0; i < rows; i++) {
      long at = PanelWorker.place(q, batch, i, head, 0);
      codec.load(q.memory(), at, q.stride(3), queries, i * depth, (i + 1) * depth);
    }
    math.scale(queries, 0, rows * depth, call.scale());
  }

  /** Makes the scores of a query weights; returns their sum. */
  private double soften(long batch, long head, int query) {
    int count = (int) call.readable(query);
    int start = query * keys;
    Operand bias = call.bias();
    if (bias != null) {
      long at = PanelWorker.place(bias, batch, head, query, 0);
      codec.load(bias.memory(), at, bias.stride(3), biases, 0, count);
      for (int j = 0; j < count; j++) {
        scores[start + j] += biases[j];
      }
    }
    double largest = math.largest(scores, start, start + count);
    if (largest == Double.NEGATIVE_INFINITY) {
      codec.lanes().fill(scores, start, start + count, 0);
      return 0;
    }
    return math.exponentials(scores, start, start + count, largest);
  }

  /** The first rows of a head. */
  private static Operand matrix(Operand of, long batch, long head, int count) {
    return new Operand(
        of.memory(),
        PanelWorker.place(of, batch, 0, head, 0),
        new long[] {count, of.dim(3)},
        new long[] {of.stride(1), of.stride(3)});
  }

  /** Multiplies some rows of an array with a matrix, into the same rows of another one. */
  private void multiply(float[] a, int length, int row, int count, Operand b, float[] c) {
    products.accept(
        new MatrixProduct(
            DType.FLOAT32,
            codec.lanes(),
            rows(a, row, count, length),
            b,
            null,
            null,
            Activation.NONE,
            rows(c, row, count, (int) b.dim(1)),
            null));
  }

  private Operand rows(float[] array, int row, int count, int length) {
    long step = array.length / rows * (long) Float.BYTES;
    return new Operand(
        MemorySegment.ofArray(array),
        row * step,
        new long[] {count, length},
        new long[] {step, Float.BYTES});
  }
}
