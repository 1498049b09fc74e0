package org.relaxvm.backendtestkit.definition;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;

/** Attention, one query and one column of the values at a time. */
final class AttentionDefinition {
  private AttentionDefinition() {}

  static void addTo(Map<String, Definition> all) {
    all.put("attention", AttentionDefinition::attention);
  }

  private static Definition.ElementFunction attention(KernelRequest request) {
    Operand q = request.operand("q");
    Operand k = request.operand("k");
    Operand v = request.operand("v");
    for (String name : new String[] {"q", "k", "v"}) {
      request.require(request.operand(name).shape().rank() == 4, name, "rank 4");
    }
    long batch = q.shape().dim(0);
    long queries = q.shape().dim(1);
    long heads = q.shape().dim(2);
    long depth = q.shape().dim(3);
    long keys = k.shape().dim(1);
    long keyHeads = k.shape().dim(2);
    request.require(
        k.shape().dim(0) == batch && k.shape().dim(3) == depth,
        "k",
        "shape [" + batch + ", sk, nk, " + depth + "]");
    request.require(
        keyHeads > 0 ? heads % keyHeads == 0 : heads == 0,
        "k",
        "a tensor whose number of heads divides " + heads);
    request.require(
        v.shape().dim(0) == batch && v.shape().dim(1) == keys && v.shape().dim(2) == keyHeads,
        "v",
        "shape [" + batch + ", " + keys + ", " + keyHeads + ", dv]");
    Shape scores = Shape.of(batch, heads, queries, keys);
    @Nullable Operand bias = request.operandOrNull("bias");
    request.require(
        bias == null || Indices.broadcasts(bias.shape(), scores),
        "bias",
        "a shape that broadcasts to " + scores);
    @Nullable Number given = request.numberOrNull("scale");
    double scale = given == null ? 1 / Math.sqrt(depth) : given.doubleValue();
    String mask = request.string("causal_mask");
    long last =
        switch (mask) {
          case "none" -> keys;
          case "TopLeft" -> 0;
          case "BottomRight" -> Math.abs(queries - keys);
          default -> -1;
        };
    request.require(last >= 0, "causal_mask", "'none', 'TopLeft' or 'BottomRight'");
    request.requireOut(batch, queries, heads, v.shape().dim(3));
    Weights weights = new Weights(q, k, bias, scale);
    return at -> {
      long head = at[2] / (heads / keyHeads);
      int count = (int) Math.min(keys, at[1] + last + 1);
      double[] row = weights.of(at, head, count);
      double result = 0;
      for (int j = 0; j < count; j++) {
        result += row[j] * v.doubleAt(at[0], j, head, at[3]);
      }
      return ElementBits.ofDouble(result);
    };
  }

  /** What the keys count for a query. All elements of a row of results have the same. */
  private static final class Weights {
    private final Operand q;
    private final Operand k;
    private final @Nullable Operand bias;
    private final double scale;
    private long[] query = {};
    private double[] row = {};

    Weights(Operand q, Operand k, @Nullable Operand bias, double scale) {
      this.q = q;
      this.k = k;
      this.bias = bias;
      this.scale = scale;
    }

    /** The weights of the first keys, which are computed once while the query stays the same. */
    double[] of(long[] at, long head, int count) {
      long[] wanted = {at[0], at[1], at[2]};
      if (!Arrays.equals(query, wanted)) {
        query = wanted;
        row = softmax(scores(wanted, head, count));
      }
      return row;
    }

    private double[] scores(long[] at, long head, int count) {
      long depth = q.shape().dim(3);
      double[] scores = new double[count];
      for (int j = 0; j < count; j++) {
        for (long p = 0; p < depth; p++) {
          scores[j] += q.doubleAt(at[0], at[1], at[2], p) * k.doubleAt(at[0], j, head, p);
        }
        scores[j] *= scale;
        if (bias != null) {
          scores[j] += Double.longBitsToDouble(bias.broadcastAt(at[0], at[2], at[1], j));
        }
      }
      return scores;
    }

    private static double[] softmax(double[] scores) {
      double largest = Double.NEGATIVE_INFINITY;
      for (double score : scores) {
        largest = Math.max(largest, score);
      }
      double[] weights = new double[scores.length];
      double sum = 0;
      for (int j = 0; j < scores.length; j++) {
        weights[j] = Math.exp(scores[j] - largest);
        sum += weights[j];
      }
      for (int j = 0; j < scores.length; j++) {
        weights[j] /= sum;
      }
      return weights;
    }
  }
}
