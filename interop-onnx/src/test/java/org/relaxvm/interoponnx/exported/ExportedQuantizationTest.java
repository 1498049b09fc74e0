package org.relaxvm.interoponnx.exported;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.exported.Compiled.KernelCall;

/** A network whose values are all quantized, as ONNX Runtime's quantizer writes it. */
class ExportedQuantizationTest {
  private final Random random = new Random(6);
  private final ExportedGraph g = new ExportedGraph(19);

  /** A value quantized to uint8 and back. */
  private String around(String value, double scale) {
    String zero = g.constant(Tensor.of(new byte[] {100}, DType.UINT8, Shape.of()));
    String q = g.node("QuantizeLinear", value, g.number(scale), zero);
    return g.node("DequantizeLinear", q, g.number(scale), zero);
  }

  private String convolution(String x, long size) {
    byte[] weights = new byte[(int) (4 * 4 * size * size)];
    random.nextBytes(weights);
    String w =
        g.node(
            "DequantizeLinear",
            g.constant(Tensor.of(weights, DType.INT8, Shape.of(4, 4, size, size))),
            g.number(0.01),
            g.constant(Tensor.of(new byte[] {0}, DType.INT8, Shape.of())));
    String bias =
        g.node(
            "DequantizeLinear",
            g.constant(Tensor.of(new int[] {300, -20, 0, 5}, Shape.of(4))),
            g.number(0.0002),
            g.constant(Tensor.of(new int[] {0}, Shape.of())));
    long pad = size / 2;
    return g.node("Conv", Map.of("pads", List.of(pad, pad, pad, pad)), x, w, bias);
  }

  /** Convolutions, pooling, a residual connection, concatenation and a product at the end. */
  private OnnxModels network() {
    String x = around(g.input("x", DType.FLOAT32, "n", 4, 8, 8), 0.03);
    String first = around(g.node("Relu", convolution(x, 3)), 0.05);
    Map<String, Object> windows =
        Map.of("kernel_shape", List.of(2L, 2L), "strides", List.of(2L, 2L));
    String pooled = around(g.node("MaxPool", windows, first), 0.05);
    String second = around(convolution(pooled, 1), 0.06);
    String sum = around(g.node("Relu", g.node("Add", second, pooled)), 0.05);
    String joined = around(g.node("Concat", Map.of("axis", 1), sum, pooled), 0.05);
    String flat = around(g.node("Flatten", joined), 0.05);
    byte[] weights = new byte[128 * 5];
    random.nextBytes(weights);
    String w =
        g.node(
            "DequantizeLinear",
            g.constant(Tensor.of(weights, DType.INT8, Shape.of(128, 5))),
            g.number(0.01),
            g.constant(Tensor.of(new byte[] {0}, DType.INT8, Shape.of())));
    g.output("y", g.node("MatMul", flat, w), DType.FLOAT32, "n", 5);
    return g.models();
  }

  @Test
  void valuesAreBytesBetweenKernels() {
    List<KernelCall> calls = Compiled.calls(network());
    assertThat(calls)
        .extracting(call -> call.kind() + " " + call.dtype())
        .containsExactly(
            "fused_quantize_pad uint8",
            "unfold uint8",
            "reshape uint8",
            "matmul int32",
            "fused_reshape_subtract_cast_multiply_add_maximum_quantize uint8",
            "max_pool2d uint8",
            "reshape uint8",
            "matmul int32",
            "fused_dequantize_reshape_subtract_cast_multiply_add_quantize_dequantize_add_maximum"
                + "_quantize_concatenate_reshape uint8",
            "fused_matmul_subtract_cast_multiply float32");
  }

  @Test
  void theResultIsThatOfFloats() {
    Compiled.assertNear(network(), 0.05, ExportedGraph.random(random, 2, 4, 8, 8));
  }
}
