package org.relaxvm.interoponnx.operator.attention;

import org.jspecify.annotations.Nullable;

/** Attention of heads {@code [b, n, s, d]} by loops, as its definition has it. */
public final class PlainAttention {
  private final int batch;
  private final int heads;
  private final int shared;
  private final int size;
  private double scale;
  private double cap;

  /**
   * @param heads of queries
   * @param shared of keys and values
   * @param size of a head
   */
  public PlainAttention(int batch, int heads, int shared, int size) {
    this.batch = batch;
    this.heads = heads;
    this.shared = shared;
    this.size = size;
    this.scale = 1 / Math.sqrt(size);
  }

  /** What is added to a score; negative infinity hides it. */
  @FunctionalInterface
  public interface Bias {
    /** The number for a batch, head, query and key. */
    double at(int b, int h, int q, int k);
  }

  /** Another factor of the scores. */
  public PlainAttention scale(double factor) {
    scale = factor;
    return this;
  }

  /** A limit of the scores. */
  public PlainAttention cap(double limit) {
    cap = limit;
    return this;
  }

  /**
   * The result {@code [b, n, sq, d]}.
   *
   * @param sinks one more score for each head, of nothing; null for none
   */
  public double[] run(
      double[] q,
      double[] k,
      double[] v,
      int queries,
      int keys,
      Bias bias,
      double @Nullable [] sinks) {
    double[] result = new double[batch * heads * queries * size];
    for (int b = 0; b < batch; b++) {
      for (int h = 0; h < heads; h++) {
        int other = (b * shared + h / (heads / shared)) * keys * size;
        for (int i = 0; i < queries; i++) {
          int own = ((b * heads + h) * queries + i) * size;
          double[] weights = new double[keys];
          double sum = sinks == null ? 0 : Math.exp(sinks[h]);
          for (int j = 0; j < keys; j++) {
            weights[j] = Math.exp(score(q, own, k, other + j * size) + bias.at(b, h, i, j));
            sum += weights[j];
          }
          for (int j = 0; j < keys && sum > 0; j++) {
            for (int d = 0; d < size; d++) {
              result[own + d] += weights[j] / sum * v[other + j * size + d];
            }
          }
        }
      }
    }
    return result;
  }

  private double score(double[] q, int from, double[] k, int other) {
    double sum = 0;
    for (int d = 0; d < size; d++) {
      sum += q[from + d] * k[other + d];
    }
    double score = sum * scale;
    return cap == 0 ? score : cap * Math.tanh(score / cap);
  }

  /** From {@code [b, s, n * d]} to {@code [b, n, s, d]}. */
  public static double[] byHead(double[] x, int batch, int positions, int heads, int size) {
    double[] result = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      int d = i % size;
      int h = i / size % heads;
      int s = i / size / heads % positions;
      int b = i / size / heads / positions;
      result[((b * heads + h) * positions + s) * size + d] = x[i];
    }
    return result;
  }

  /** From {@code [b, n, s, d]} to {@code [b, s, n * d]}. */
  public static double[] joined(double[] x, int batch, int positions, int heads, int size) {
    return byHead(x, batch, heads, positions, size);
  }
}
