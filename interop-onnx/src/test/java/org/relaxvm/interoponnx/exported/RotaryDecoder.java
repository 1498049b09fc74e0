package org.relaxvm.interoponnx.exported;

import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/**
 * A decoder like Llama, as exporters write it: RMS normalization, rotary embeddings in halves,
 * heads of keys that several queries share, a causal mask made by Trilu, SiLU.
 */
final class RotaryDecoder {
  static final int LAYERS = 2;
  private static final long HIDDEN = 16;
  private static final long HEADS = 4;
  private static final long SHARED = 2;
  private static final long SIZE = 4;

  private final ExportedGraph g = new ExportedGraph(14);

  private RotaryDecoder() {}

  /** The model, of {@code input_ids} and {@code position_ids}. */
  static OnnxModels models() {
    return new RotaryDecoder().build();
  }

  private OnnxModels build() {
    String ids = g.input("input_ids", DType.INT64, "batch", "sequence");
    String positions = g.input("position_ids", DType.INT64, "batch", "sequence");
    String x = g.node("Gather", g.weight(30, HIDDEN), ids);
    String mask = mask(ids);
    String angles = angles(positions);
    String cos = g.node("Unsqueeze", g.node("Cos", angles), g.ints(1));
    String sin = g.node("Unsqueeze", g.node("Sin", angles), g.ints(1));
    for (int layer = 0; layer < LAYERS; layer++) {
      x = g.node("Add", x, attention(g.rmsNorm(x, HIDDEN), cos, sin, mask));
      String normal = g.rmsNorm(x, HIDDEN);
      String gate = g.node("MatMul", normal, g.weight(HIDDEN, 2 * HIDDEN));
      String up = g.node("MatMul", normal, g.weight(HIDDEN, 2 * HIDDEN));
      String inner = g.node("Mul", g.node("Mul", gate, g.node("Sigmoid", gate)), up);
      x = g.node("Add", x, g.node("MatMul", inner, g.weight(2 * HIDDEN, HIDDEN)));
    }
    g.output("last_hidden_state", g.rmsNorm(x, HIDDEN), DType.FLOAT32, "batch", "sequence", HIDDEN);
    return g.models();
  }

  /** Angles of each position, twice beside each other: {@code [b, s, d]}. */
  private String angles(String positions) {
    String inverse = g.constant(Tensor.of(new float[] {1, 0.01f}, Shape.of(1, 2, 1)));
    String frequencies = g.expand(inverse, g.size(positions, 0), g.integer(-1), g.integer(1));
    String wide = g.node("Cast", Map.of("to", 1), g.node("Unsqueeze", positions, g.ints(1)));
    String angles = g.transpose(g.node("MatMul", frequencies, wide), 0, 2, 1);
    return g.node("Concat", Map.of("axis", -1), angles, angles);
  }

  /** {@code triu(full((s, s), min), 1)} with axes for batches and heads. */
  private String mask(String ids) {
    String length = g.size(ids, 1);
    String shape =
        g.node(
            "Concat",
            Map.of("axis", 0),
            g.node("Unsqueeze", length, g.ints(0)),
            g.node("Unsqueeze", length, g.ints(0)));
    String full =
        g.node(
            "ConstantOfShape",
            Map.of("value", Tensor.of(new float[] {-Float.MAX_VALUE}, Shape.of(1))),
            shape);
    String upper = g.node("Trilu", Map.of("upper", 1), full, g.integer(1));
    String wide = g.node("Unsqueeze", g.node("Unsqueeze", upper, g.ints(0)), g.ints(1));
    return g.expand(wide, g.size(ids, 0), g.integer(1), g.integer(-1), g.integer(-1));
  }

  private String heads(String x, long heads) {
    String projected = g.node("MatMul", x, g.weight(HIDDEN, heads * SIZE));
    return g.transpose(
        g.view(projected, g.size(x, 0), g.size(x, 1), g.integer(heads), g.integer(SIZE)),
        0,
        2,
        1,
        3);
  }

  private String rotated(String x, String cos, String sin) {
    String half = g.node("Div", g.size(x, 3), g.integer(2));
    String first = g.slice(x, 3, g.integer(0), half);
    String second = g.slice(x, 3, half, g.integer(Long.MAX_VALUE));
    String turned = g.node("Concat", Map.of("axis", -1), g.node("Neg", second), first);
    return g.node("Add", g.node("Mul", x, cos), g.node("Mul", turned, sin));
  }

  /** Each head repeated for the queries that share it. */
  private String repeated(String x) {
    long share = HEADS / SHARED;
    String batch = g.size(x, 0);
    String length = g.size(x, 2);
    String wide = g.node("Unsqueeze", x, g.ints(2));
    String all =
        g.expand(wide, batch, g.integer(SHARED), g.integer(share), length, g.integer(SIZE));
    return g.view(all, batch, g.integer(HEADS), length, g.integer(SIZE));
  }

  private String attention(String x, String cos, String sin, String mask) {
    String q = rotated(heads(x, HEADS), cos, sin);
    String k = repeated(rotated(heads(x, SHARED), cos, sin));
    String v = repeated(heads(x, SHARED));
    String product = g.node("MatMul", q, g.transpose(k, 0, 1, 3, 2));
    String scores = g.node("Add", g.node("Mul", product, g.number(1 / Math.sqrt(SIZE))), mask);
    String weights = g.node("Softmax", Map.of("axis", -1), scores);
    String all = g.transpose(g.node("MatMul", weights, v), 0, 2, 1, 3);
    String joined = g.view(all, g.size(all, 0), g.size(all, 1), g.integer(-1));
    return g.node("MatMul", joined, g.weight(HIDDEN, HIDDEN));
  }
}
