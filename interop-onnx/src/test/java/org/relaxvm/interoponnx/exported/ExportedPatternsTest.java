package org.relaxvm.interoponnx.exported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.interoponnx.exported.Compiled.assertSame;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.OnnxRuns;

/** Groups of nodes that exporters and ONNX Runtime's optimizer write, and their kernels. */
class ExportedPatternsTest {
  private final Random random = new Random(8);

  private static List<String> kernels(OnnxModels models) {
    return Compiled.calls(models).stream().map(Compiled.KernelCall::kind).toList();
  }

  // ---------------------------------------------------------------- activations

  /** Nodes that make a value from another. */
  private interface Nodes {
    String of(ExportedGraph graph, String x);
  }

  private static OnnxModels afterProduct(Nodes nodes) {
    ExportedGraph g = new ExportedGraph(18);
    String product = g.linear(g.input("x", DType.FLOAT32, "n", 8), 8, 6);
    g.output("y", nodes.of(g, product), DType.FLOAT32, "n", 6);
    return g.models();
  }

  private static Arguments nodes(String name, Nodes nodes) {
    return Arguments.of(name, nodes);
  }

  static Stream<Arguments> activations() {
    return Stream.of(
        nodes("gelu by erf", ExportedGraph::gelu),
        nodes("gelu by tanh", ExportedGraph::newGelu),
        nodes("Gelu", (g, x) -> g.microsoft("Gelu", Map.of(), x)),
        nodes("FastGelu", (g, x) -> g.microsoft("FastGelu", Map.of(), x)),
        nodes("QuickGelu", (g, x) -> g.microsoft("QuickGelu", Map.of("alpha", 1.702f), x)),
        nodes(
            "quick gelu",
            (g, x) -> g.node("Mul", x, g.node("Sigmoid", g.node("Mul", x, g.number(1.702))))),
        nodes("silu", (g, x) -> g.node("Mul", x, g.node("Sigmoid", x))),
        nodes("HardSwish", (g, x) -> g.node("HardSwish", x)),
        nodes(
            "hard swish by HardSigmoid",
            (g, x) ->
                g.node("Mul", x, g.node("HardSigmoid", Map.of("alpha", 1f / 6, "beta", 0.5f), x))),
        nodes(
            "hard swish by Clip",
            (g, x) ->
                g.node(
                    "Div",
                    g.node(
                        "Mul",
                        x,
                        g.node("Clip", g.node("Add", x, g.number(3)), g.number(0), g.number(6))),
                    g.number(6))),
        nodes("Mish", (g, x) -> g.node("Mish", x)),
        nodes("mish", (g, x) -> g.node("Mul", x, g.node("Tanh", g.node("Softplus", x)))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("activations")
  void activationsJoinTheProductBeforeThem(String name, Nodes nodes) {
    assertThat(kernels(afterProduct(nodes))).hasSize(1).first().asString().contains("matmul");
    assertSame(afterProduct(nodes), ExportedGraph.random(random, 3, 8));
  }

  // ---------------------------------------------------------------- broadcasting

  /** {@code x[:, :1]}, whose extent an exporter with dynamic axes does not know to be 1. */
  private static String firstColumn(ExportedGraph g, String x) {
    return g.slice(x, 1, g.integer(0), g.integer(1));
  }

  @Test
  void aSliceOfOneElementBroadcasts() {
    ExportedGraph g = new ExportedGraph(16);
    String x = g.input("x", DType.FLOAT32, "n", "m");
    g.output("y", g.node("Sub", x, firstColumn(g, x)), DType.FLOAT32, "n", "m");
    for (int columns : new int[] {3, 1}) {
      Tensor of = Tensor.of(new float[columns], Shape.of(1, columns));
      assertThat(OnnxRuns.text(g.models(), of))
          .isEqualTo(OnnxRuns.text(Tensor.zeros(DType.FLOAT32, Shape.of(1, columns))));
    }
    assertThat(OnnxRuns.text(g.models(), OnnxRuns.floats(Shape.of(2, 3), 1, 2, 4, 8, 16, 32)))
        .isEqualTo("float32 [2, 3] [0.0, 1.0, 3.0, 0.0, 8.0, 24.0]");
  }

  @Test
  void aSliceOfOneElementExpands() {
    ExportedGraph g = new ExportedGraph(16);
    String x = g.input("x", DType.FLOAT32, "n", "m");
    String expanded = g.expand(firstColumn(g, x), g.size(x, 0), g.integer(3));
    g.output("y", expanded, DType.FLOAT32, "n", 3);
    assertThat(OnnxRuns.text(g.models(), OnnxRuns.floats(Shape.of(2, 2), 1, 2, 4, 8)))
        .isEqualTo("float32 [2, 3] [1.0, 1.0, 1.0, 4.0, 4.0, 4.0]");
  }

  @Test
  void aSliceOfOneElementThatMeetsItselfMayBeEmpty() {
    ExportedGraph g = new ExportedGraph(16);
    String x = g.input("x", DType.FLOAT32, "n", "m");
    String first = firstColumn(g, x);
    g.output("y", g.node("Add", first, g.node("Neg", first)), DType.FLOAT32, "n", "k");
    assertThat(OnnxRuns.text(g.models(), Tensor.zeros(DType.FLOAT32, Shape.of(2, 0))))
        .isEqualTo("float32 [2, 0] []");
  }

  // ---------------------------------------------------------------- many parts

  /** An unrolled loop of an exporter concatenates the results of all iterations. */
  @Test
  void twoHundredPartsAreConcatenated() {
    int parts = 200;
    ExportedGraph g = new ExportedGraph(13);
    String x = g.input("x", DType.FLOAT32, "n", parts);
    List<String> columns = g.nodes("Split", parts, Map.of("axis", 1), x);
    String[] negated = columns.stream().map(part -> g.node("Neg", part)).toArray(String[]::new);
    g.output("y", g.node("Concat", Map.of("axis", 1), negated), DType.FLOAT32, "n", parts);
    Tensor given = ExportedGraph.random(random, 2, parts);
    float[] values = given.toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = -values[i];
    }
    assertThat(OnnxRuns.run(g.models(), given).toFloatArray()).containsExactly(values);
  }

  // ---------------------------------------------------------------- rotary embeddings

  private static OnnxModels rotary(Function<ExportedGraph, BinaryOperator<String>> rotation) {
    ExportedGraph g = new ExportedGraph(23);
    String x = g.input("x", DType.FLOAT32, "batch", 2, "sequence", 8);
    String positions = g.input("position_ids", DType.INT64, "batch", "sequence");
    String rotated = rotation.apply(g).apply(x, positions);
    g.output("y", rotated, DType.FLOAT32, "batch", 2, "sequence", 8);
    return g.models();
  }

  private static String angles(ExportedGraph g, String positions) {
    return g.node("Unsqueeze", g.node("Gather", g.weight(16, 8), positions), g.ints(1));
  }

  private static String sum(ExportedGraph g, String x, String turned, String positions) {
    return g.node(
        "Add", g.node("Mul", x, angles(g, positions)), g.node("Mul", turned, angles(g, positions)));
  }

  private static String halves(ExportedGraph g, String x, String positions) {
    String first = g.slice(x, 3, g.integer(0), g.integer(4));
    String second = g.slice(x, 3, g.integer(4), g.integer(Long.MAX_VALUE));
    String turned = g.node("Concat", Map.of("axis", -1), g.node("Neg", second), first);
    return sum(g, x, turned, positions);
  }

  private static String adjacent(ExportedGraph g, String x, String positions) {
    String even = g.node("Slice", x, g.ints(0), g.ints(Long.MAX_VALUE), g.ints(3), g.ints(2));
    String odd = g.node("Slice", x, g.ints(1), g.ints(Long.MAX_VALUE), g.ints(3), g.ints(2));
    String pairs =
        g.node(
            "Concat",
            Map.of("axis", -1),
            g.node("Unsqueeze", g.node("Neg", odd), g.ints(-1)),
            g.node("Unsqueeze", even, g.ints(-1)));
    String turned = g.view(pairs, g.size(x, 0), g.integer(2), g.size(x, 2), g.integer(8));
    return sum(g, x, turned, positions);
  }

  private static String operator(ExportedGraph g, String x, String positions, long interleaved) {
    return g.node(
        "RotaryEmbedding",
        Map.of("interleaved", interleaved),
        x,
        g.weight(16, 4),
        g.weight(16, 4),
        positions);
  }

  static Stream<Function<ExportedGraph, BinaryOperator<String>>> rotations() {
    return Stream.of(
        g -> (x, positions) -> halves(g, x, positions),
        g -> (x, positions) -> adjacent(g, x, positions),
        g -> (x, positions) -> operator(g, x, positions, 0),
        g -> (x, positions) -> operator(g, x, positions, 1));
  }

  @ParameterizedTest
  @MethodSource("rotations")
  void aRotaryEmbeddingIsOneKernel(Function<ExportedGraph, BinaryOperator<String>> rotation) {
    assertThat(kernels(rotary(rotation))).hasSize(1);
    Tensor positions = Tensor.of(new long[] {0, 3, 15, 2, 1, 7}, Shape.of(2, 3));
    assertSame(rotary(rotation), ExportedGraph.random(random, 2, 2, 3, 8), positions);
  }

  // ---------------------------------------------------------------- residual connections

  /** The sum of a product and a residual is normalized; both are results. */
  private static OnnxModels residual(boolean isOneNode, boolean isRootMeanSquare) {
    ExportedGraph g = new ExportedGraph(14);
    String x = g.input("x", DType.FLOAT32, "n", "s", 8);
    String residual = g.input("residual", DType.FLOAT32, "n", "s", 8);
    String product = g.linear(x, 8, 8);
    String sum;
    String normal;
    if (isOneNode) {
      String name =
          isRootMeanSquare ? "SkipSimplifiedLayerNormalization" : "SkipLayerNormalization";
      String[] inputs =
          isRootMeanSquare
              ? new String[] {product, residual, g.weight(8)}
              : new String[] {product, residual, g.weight(8), g.weight(8)};
      List<String> results = g.nodes("com.microsoft", name, 4, Map.of(), inputs);
      normal = results.get(0);
      sum = results.get(3);
    } else {
      sum = g.node("Add", residual, product);
      normal = isRootMeanSquare ? g.rmsNorm(sum, 8) : g.layerNorm(sum, 8);
    }
    g.output("y", normal, DType.FLOAT32, "n", "s", 8);
    g.output("sum", sum, DType.FLOAT32, "n", "s", 8);
    return g.models();
  }

  @Test
  void aResidualJoinsTheProductAndItsNormalizationIsOneKernel() {
    for (boolean isOneNode : List.of(false, true)) {
      for (boolean isRootMeanSquare : List.of(false, true)) {
        assertThat(kernels(residual(isOneNode, isRootMeanSquare)))
            .containsExactly("fused_matmul_add_add", isRootMeanSquare ? "rms_norm" : "layer_norm");
        assertSame(
            residual(isOneNode, isRootMeanSquare),
            ExportedGraph.random(random, 2, 3, 8),
            ExportedGraph.random(random, 2, 3, 8));
      }
    }
  }

  // ---------------------------------------------------------------- batch normalization

  private static OnnxModels normalized(String product) {
    ExportedGraph g = new ExportedGraph(14);
    boolean isImage = !product.equals("Gemm");
    String x =
        isImage
            ? g.input("x", DType.FLOAT32, "n", 4, "h", "w")
            : g.input("x", DType.FLOAT32, "n", 4);
    String weights =
        switch (product) {
          case "Conv" -> g.weight(6, 4, 3, 3);
          case "ConvTranspose" -> g.weight(4, 6, 3, 3);
          default -> g.weight(4, 6);
        };
    String value = g.node(product, x, weights, g.weight(6));
    Tensor variance = Tensor.of(new float[] {1, 0.5f, 2, 1.5f, 0.25f, 3}, Shape.of(6));
    String normal =
        g.node(
            "BatchNormalization",
            value,
            g.weight(6),
            g.weight(6),
            g.weight(6),
            g.constant(variance));
    g.models().node("Relu", List.of(normal), List.of("y"));
    Object[] dims = isImage ? new Object[] {"n", 6, "p", "q"} : new Object[] {"n", 6};
    g.models().output("y", DType.FLOAT32, dims);
    return g.models();
  }

  @ParameterizedTest
  @MethodSource("products")
  void batchNormalizationIsFoldedIntoTheProduct(String product, String kernel) {
    assertThat(kernels(normalized(product))).containsExactly(kernel);
    assertSame(
        normalized(product),
        product.equals("Gemm")
            ? ExportedGraph.random(random, 3, 4)
            : ExportedGraph.random(random, 2, 4, 5, 6));
  }

  static Stream<Arguments> products() {
    return Stream.of(
        Arguments.of("Conv", "fused_conv2d_add_maximum"),
        Arguments.of("ConvTranspose", "fused_conv2d_transpose_add_maximum"),
        Arguments.of("Gemm", "fused_matmul_add_maximum"));
  }
}
