package org.relaxvm.interoponnx.exported;

import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/** An encoder like BERT, as TorchScript exports it: masks of padding, GELU by erf. */
final class Encoder {
  static final int LAYERS = 2;
  private static final long HIDDEN = 8;
  private static final long HEADS = 2;
  private static final long SIZE = HIDDEN / HEADS;
  private static final int POSITIONS = 16;

  private final ExportedGraph g = new ExportedGraph(14);

  private Encoder() {}

  /**
   * The model, of {@code input_ids} and {@code attention_mask}.
   *
   * @param scaledOperands whether queries and keys are scaled by a root of the scale, as for {@code
   *     scaled_dot_product_attention}
   */
  static OnnxModels models(boolean scaledOperands) {
    return new Encoder().build(scaledOperands);
  }

  private OnnxModels build(boolean scaledOperands) {
    String ids = g.input("input_ids", DType.INT64, "batch", "sequence");
    String padding = g.input("attention_mask", DType.INT64, "batch", "sequence");
    String mask = scaledOperands ? expandedMask(ids, padding) : mask(padding);
    String x = embeddings(ids);
    for (int layer = 0; layer < LAYERS; layer++) {
      String attended = g.linear(attention(x, mask, scaledOperands), HIDDEN, HIDDEN);
      x = g.layerNorm(g.node("Add", attended, x), HIDDEN);
      String inner = g.gelu(g.linear(x, HIDDEN, 2 * HIDDEN));
      x = g.layerNorm(g.node("Add", g.linear(inner, 2 * HIDDEN, HIDDEN), x), HIDDEN);
    }
    g.output("last_hidden_state", x, DType.FLOAT32, "batch", "sequence", HIDDEN);
    return g.models();
  }

  private String embeddings(String ids) {
    long[] numbers = new long[POSITIONS];
    for (int i = 0; i < POSITIONS; i++) {
      numbers[i] = i;
    }
    String all = g.constant(Tensor.of(numbers, Shape.of(1, POSITIONS)));
    String positions = g.slice(all, 1, g.integer(0), g.size(ids, 1));
    String words = g.node("Gather", g.weight(30, HIDDEN), ids);
    String places = g.node("Gather", g.weight(POSITIONS, HIDDEN), positions);
    return g.layerNorm(g.node("Add", words, places), HIDDEN);
  }

  private String mask(String padding) {
    String wide = g.node("Unsqueeze", g.node("Unsqueeze", padding, g.ints(1)), g.ints(2));
    String kept = g.node("Cast", Map.of("to", 1), wide);
    return g.node("Mul", g.node("Sub", g.number(1), kept), g.number(-10000));
  }

  /** The mask with a row for each query, in which what counts is exchanged by Where. */
  private String expandedMask(String ids, String padding) {
    String wide = g.node("Unsqueeze", g.node("Unsqueeze", padding, g.ints(1)), g.ints(2));
    String full =
        g.expand(wide, g.size(padding, 0), g.integer(1), g.size(ids, 1), g.size(padding, 1));
    String hidden = g.node("Sub", g.number(1), g.node("Cast", Map.of("to", 1), full));
    return g.node(
        "Where", g.node("Cast", Map.of("to", 9), hidden), g.number(-Float.MAX_VALUE), hidden);
  }

  private String heads(String x) {
    return g.view(
        g.linear(x, HIDDEN, HIDDEN), g.size(x, 0), g.size(x, 1), g.integer(HEADS), g.integer(SIZE));
  }

  private String attention(String x, String mask, boolean scaledOperands) {
    String q = g.transpose(heads(x), 0, 2, 1, 3);
    String k = heads(x);
    String v = g.transpose(heads(x), 0, 2, 1, 3);
    String scores;
    if (scaledOperands) {
      String keys = g.transpose(k, 0, 2, 3, 1);
      scores =
          g.node("MatMul", g.node("Mul", q, rootOfScale(q)), g.node("Mul", keys, rootOfScale(q)));
    } else {
      String keys = g.transpose(g.transpose(k, 0, 2, 1, 3), 0, 1, 3, 2);
      scores = g.node("Div", g.node("MatMul", q, keys), g.number(Math.sqrt(SIZE)));
    }
    String weights = g.node("Softmax", Map.of("axis", -1), g.node("Add", scores, mask));
    String all = g.transpose(g.node("MatMul", weights, v), 0, 2, 1, 3);
    return g.view(all, g.size(all, 0), g.size(all, 1), g.integer(HIDDEN));
  }

  /** {@code sqrt(1 / sqrt(q.size(-1)))}, computed by nodes. */
  private String rootOfScale(String q) {
    String size = g.node("Slice", g.node("Shape", q), g.ints(-1), g.ints(Long.MAX_VALUE));
    String root = g.node("Sqrt", g.node("Cast", Map.of("to", 1), size));
    return g.node("Sqrt", g.node("Div", g.number(1), root));
  }
}
