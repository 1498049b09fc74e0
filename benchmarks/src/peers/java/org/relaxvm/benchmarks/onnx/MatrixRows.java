package org.relaxvm.benchmarks.onnx;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Calls on matrices of 512 rows and 1024 columns, and attention over 512 places. */
final class MatrixRows {
  private static final long ROWS = 512;
  private static final long COLUMNS = 1024;
  private static final long HEADS = 8;
  private static final long HEAD_SIZE = 64;
  private static final float EPSILON = 1e-5f;

  private MatrixRows() {}

  static List<Row> all() {
    return List.of(softmax(), layerNorm(), gelu(), attention());
  }

  private static Row softmax() {
    Tensor x = matrix();
    Tensor out = Row.zeros(ROWS, COLUMNS);
    OnnxModel model = OnnxModel.of("Softmax").input("x", ROWS, COLUMNS).attribute("axis", -1);
    return new Row(
        "softmax [512, 1024]", "softmax", model, List.of(x), out, args(x, -1, out), 1e-6);
  }

  private static Row layerNorm() {
    Tensor x = matrix();
    Tensor gamma = Row.random(1, COLUMNS);
    Tensor beta = Row.random(1, COLUMNS);
    Tensor out = Row.zeros(ROWS, COLUMNS);
    OnnxModel model =
        OnnxModel.of("LayerNormalization")
            .input("x", ROWS, COLUMNS)
            .constant("gamma", gamma)
            .constant("beta", beta)
            .attribute("axis", -1)
            .attribute("epsilon", EPSILON);
    return new Row(
        "layer_norm [512, 1024]",
        "layer_norm",
        model,
        List.of(x),
        out,
        args(x, gamma, beta, Shape.of(-1), EPSILON, out),
        1e-5);
  }

  private static Row gelu() {
    Tensor x = matrix();
    Tensor out = Row.zeros(ROWS, COLUMNS);
    OnnxModel model = OnnxModel.of("Gelu").input("x", ROWS, COLUMNS);
    return new Row("gelu [512, 1024]", "gelu", model, List.of(x), out, args(x, out), 1e-6);
  }

  private static Row attention() {
    long width = HEADS * HEAD_SIZE;
    Tensor q = Row.random(1, 1, ROWS, width);
    Tensor k = Row.random(0.9, 1, ROWS, width);
    Tensor v = Row.random(0.8, 1, ROWS, width);
    Tensor out = Row.zeros(1, ROWS, width);
    OnnxModel model =
        OnnxModel.ofRuntime("MultiHeadAttention")
            .input("q", 1, ROWS, width)
            .input("k", 1, ROWS, width)
            .input("v", 1, ROWS, width)
            .attribute("num_heads", HEADS);
    return new Row(
        "attention 8 x [512, 64]",
        "attention",
        model,
        List.of(q, k, v),
        out,
        args(heads(q), heads(k), heads(v), null, null, "none", heads(out)),
        1e-5);
  }

  private static Tensor matrix() {
    return Row.random(1, ROWS, COLUMNS);
  }

  private static Tensor heads(Tensor x) {
    return x.reshape(Shape.of(1, ROWS, HEADS, HEAD_SIZE));
  }

  private static Object[] args(@Nullable Object... args) {
    return args;
  }
}
