package org.relaxvm.interoponnx.exported;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;

/**
 * A decoder like GPT-2, as TorchScript exports it: a causal mask that is cut from a buffer and
 * applied by Where, keys and values of earlier positions before those of new ones.
 */
final class Decoder {
  static final int LAYERS = 2;
  static final long HEADS = 2;
  static final long SIZE = 4;
  private static final long HIDDEN = HEADS * SIZE;
  private static final int POSITIONS = 16;

  private final ExportedGraph g = new ExportedGraph(14);

  private Decoder() {}

  /**
   * The model, of {@code input_ids} and, for each layer, {@code past_i} of {@code [2, b, n, p, d]}.
   */
  static OnnxModels models() {
    return new Decoder().build();
  }

  private OnnxModels build() {
    String ids = g.input("input_ids", DType.INT64, "batch", "sequence");
    List<String> past =
        IntStream.range(0, LAYERS)
            .mapToObj(i -> g.input("past_" + i, DType.FLOAT32, 2, "batch", HEADS, "past", SIZE))
            .toList();
    String x = embeddings(ids, past.getFirst());
    for (int layer = 0; layer < LAYERS; layer++) {
      x = g.node("Add", attention(g.layerNorm(x, HIDDEN), past.get(layer), layer), x);
      String inner = g.newGelu(conv1d(g.layerNorm(x, HIDDEN), HIDDEN, 2 * HIDDEN));
      x = g.node("Add", x, conv1d(inner, 2 * HIDDEN, HIDDEN));
    }
    String logits = g.node("MatMul", g.layerNorm(x, HIDDEN), g.weight(HIDDEN, 30));
    g.output("logits", logits, DType.FLOAT32, "batch", "sequence", 30);
    return g.models();
  }

  private String embeddings(String ids, String past) {
    String length = g.size(past, 3);
    String end = g.node("Add", g.size(ids, 1), length);
    String range = g.node("Range", length, end, g.integer(1));
    String positions = g.view(g.node("Unsqueeze", range, g.ints(0)), g.integer(-1), g.size(ids, 1));
    String flat = g.view(ids, g.integer(-1), g.size(ids, 1));
    String words = g.node("Gather", g.weight(30, HIDDEN), flat);
    return g.node("Add", words, g.node("Gather", g.weight(POSITIONS, HIDDEN), positions));
  }

  /** A Gemm of rows, between two reshapes whose extents nodes compute. */
  private String conv1d(String x, long from, long to) {
    String rows = g.view(x, g.integer(-1), g.size(x, 2));
    String product = g.node("Gemm", rows, g.weight(from, to), g.weight(to));
    return g.view(product, g.size(x, 0), g.size(x, 1), g.integer(to));
  }

  private String heads(String x) {
    return g.transpose(
        g.view(x, g.size(x, 0), g.size(x, 1), g.integer(HEADS), g.integer(SIZE)), 0, 2, 1, 3);
  }

  private String attention(String x, String past, int layer) {
    List<String> parts =
        g.nodes("Split", 3, Map.of("axis", 2), conv1d(x, HIDDEN, 3 * HIDDEN), g.ints(8, 8, 8));
    String q = heads(parts.get(0));
    String k = cached(past, 0, heads(parts.get(1)));
    String v = cached(past, 1, heads(parts.get(2)));
    String present =
        g.node(
            "Concat",
            Map.of("axis", 0),
            g.node("Unsqueeze", k, g.ints(0)),
            g.node("Unsqueeze", v, g.ints(0)));
    g.output("present_" + layer, present, DType.FLOAT32, 2, "batch", HEADS, "total", SIZE);
    String scores =
        g.node("Div", g.node("MatMul", q, g.transpose(k, 0, 1, 3, 2)), g.number(Math.sqrt(SIZE)));
    String masked = g.node("Where", causal(q, k), scores, g.number(-Float.MAX_VALUE));
    String weights = g.node("Softmax", Map.of("axis", 3), masked);
    String all = g.transpose(g.node("MatMul", weights, v), 0, 2, 1, 3);
    String joined = g.view(all, g.size(all, 0), g.size(all, 1), g.integer(HIDDEN));
    return conv1d(joined, HIDDEN, HIDDEN);
  }

  private String cached(String past, long index, String now) {
    String before = g.node("Gather", Map.of("axis", 0), past, g.integer(index));
    return g.node("Concat", Map.of("axis", -2), before, now);
  }

  /** {@code bias[:, :, keys - queries : keys, :keys]}. */
  private String causal(String q, String k) {
    byte[] lower = new byte[POSITIONS * POSITIONS];
    for (int i = 0; i < lower.length; i++) {
      lower[i] = (byte) (i % POSITIONS <= i / POSITIONS ? 1 : 0);
    }
    String buffer = g.constant(Tensor.of(lower, DType.BOOL, Shape.of(1, 1, POSITIONS, POSITIONS)));
    String keys = g.size(k, 2);
    String first = g.node("Sub", keys, g.size(q, 2));
    return g.slice(g.slice(buffer, 2, first, keys), 3, g.integer(0), keys);
  }
}
