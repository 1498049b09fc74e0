package org.relaxvm.interoponnx.operator.quantized;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.bytes;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.dims;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.floats;
import static org.relaxvm.interoponnx.operator.quantized.QuantizedModels.scalar;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** A model with QuantizeLinear and DequantizeLinear around all that computes. */
class QdqModelTest {
  private static final DType U8 = DType.UINT8;
  private static final DType I8 = DType.INT8;

  private final Random random = new Random(5);

  private Tensor weights(long... extents) {
    byte[] values = new byte[(int) Shape.of(extents).elementCount()];
    random.nextBytes(values);
    return Tensor.of(values, I8, Shape.of(extents));
  }

  /** Quantizes a value to uint8 and back. */
  private static void around(OnnxModels models, String value, String result, float scale) {
    models
        .initializer(result + "_scale", scalar(scale))
        .initializer(result + "_zero", scalar(U8, 120))
        .node(
            "QuantizeLinear",
            List.of(value, result + "_scale", result + "_zero"),
            List.of(result + "_q"))
        .node(
            "DequantizeLinear",
            List.of(result + "_q", result + "_scale", result + "_zero"),
            List.of(result));
  }

  /** Weights with a scale for each index of an axis. */
  private static void constant(
      OnnxModels models, String name, Tensor q, long axis, float... scales) {
    models
        .initializer(name + "_q", q)
        .initializer(name + "_scale", floats(dims(scales.length), scales))
        .initializer(name + "_zero", bytes(I8, dims(scales.length), new int[scales.length]))
        .node(
            "DequantizeLinear",
            List.of(name + "_q", name + "_scale", name + "_zero"),
            List.of(name),
            Map.of("axis", axis));
  }

  /** Convolution, ReLU, flattening, product, sum and Gemm. */
  private OnnxModels models() {
    OnnxModels models = new OnnxModels(21);
    models.input("x", DType.FLOAT32, "n", 3, 8, 8);
    around(models, "x", "x_dq", 0.02f);
    constant(models, "w", weights(4, 3, 3, 3), 0, 0.01f, 0.02f, 0.015f, 0.005f);
    models.node(
        "Conv", List.of("x_dq", "w"), List.of("c"), Map.of("pads", List.of(1L, 1L, 1L, 1L)));
    models.node("Relu", List.of("c"), List.of("r"));
    around(models, "r", "r_dq", 0.1f);
    models.node("Flatten", List.of("r_dq"), List.of("f"));
    constant(models, "m", weights(256, 3), 1, 0.01f, 0.02f, 0.03f);
    models.node("MatMul", List.of("f", "m"), List.of("p"));
    models.initializer("b", floats(dims(3), 1, -2, 3));
    models.node("Add", List.of("p", "b"), List.of("s"));
    around(models, "s", "s_dq", 2);
    constant(models, "g", weights(2, 3), 0, 0.01f, 0.02f);
    models.node("Gemm", List.of("s_dq", "g", ""), List.of("y"), Map.of("transB", 1L));
    return models.output("y", DType.FLOAT32, "n", 2);
  }

  /** The module before kernels are made. */
  private static String simplified(IRModule module) {
    return RelaxText.print(
        StandardPipelines.simplification().run(module, PassContext.DEFAULT, PassObserver.NONE));
  }

  @Test
  void noProductOfFloatsIsLeft() {
    String text = simplified(models().model().toRelax(OnnxOptions.DEFAULT));
    assertThat(
            text.lines().filter(line -> line.contains("R.matmul(") || line.contains("R.nn.conv")))
        .hasSize(3)
        .allMatch(line -> line.contains("out_dtype=\"int32\""));
  }

  @Test
  void theKernelsAreThoseOfTheLibraryForBytes() {
    IRModule kernels =
        StandardPipelines.simplification()
            .then(StandardPipelines.zero())
            .run(
                models().model().toRelax(OnnxOptions.DEFAULT),
                PassContext.DEFAULT,
                PassObserver.NONE);
    List<String> functions =
        kernels.kernels().values().stream()
            .map(kernel -> kernel.kernel().attrs().get("library"))
            .map(String::valueOf)
            .filter(name -> !name.equals("null"))
            .toList();
    assertThat(functions)
        .containsExactly(
            "relaxvm.matmul_integer", "relaxvm.matmul_integer", "relaxvm.matmul_integer");
  }

  @Test
  void theResultIsThatOfFloats() {
    OnnxModels models = models();
    float[] values = new float[2 * 3 * 8 * 8];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    Tensor x = Tensor.of(values, Shape.of(2, 3, 8, 8));
    IRModule module = models.model().toRelax(OnnxOptions.DEFAULT);
    Tensor got = QuantizedModels.run(Compiler.compile(module), 1, x).getFirst();
    CompileOptions ofFloats =
        CompileOptions.DEFAULT.withPipeline(passes -> passes.without("IntegerProducts"));
    Tensor want = QuantizedModels.run(Compiler.compile(module, ofFloats), 1, x).getFirst();
    assertThat(got.shape()).isEqualTo(Shape.of(2, 2));
    double apart = 0;
    double length = 0;
    for (int i = 0; i < 4; i++) {
      apart += Math.pow(got.toFloatArray()[i] - want.toFloatArray()[i], 2);
      length += Math.pow(want.toFloatArray()[i], 2);
    }
    // One step of a scale of 2, times weights below 128 * 0.02.
    assertThat(Math.sqrt(apart)).isLessThan(0.1 * Math.sqrt(length) + 1e-3);
  }
}
