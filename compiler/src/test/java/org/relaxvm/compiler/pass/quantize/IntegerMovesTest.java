package org.relaxvm.compiler.pass.quantize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.dsl.Ops.concat;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.permuteDims;
import static org.relaxvm.compiler.dsl.Ops.reshape;
import static org.relaxvm.compiler.dsl.Ops.scalar;
import static org.relaxvm.compiler.dsl.Ops.stridedSlice;
import static org.relaxvm.compiler.dsl.Ops.take;

import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.image.Quantization;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Dim;

class IntegerMovesTest {
  private static final PoolOptions WINDOWS =
      PoolOptions.of(3, 3).withStrides(2, 2).withPadding(1, 1);

  private static IRModule rewritten(IRModule module) {
    IRModule now = new IntegerMoves().run(module, PassContext.DEFAULT);
    return new DeadCodeElimination().run(now, PassContext.DEFAULT);
  }

  private static List<String> operators(IRModule module) {
    return RelaxText.print(module)
        .lines()
        .filter(line -> line.contains("= R."))
        .map(line -> line.replaceAll(".*= R\\.([a-z_0-9.]+)\\(.*", "$1"))
        .filter(name -> !name.contains("="))
        .toList();
  }

  private static Expr number(double value) {
    return constant(Tensor.of(new float[] {(float) value}, Shape.of()));
  }

  private static Expr zero(int value) {
    return constant(Tensor.of(new byte[] {(byte) value}, DType.UINT8, Shape.of()));
  }

  private static Expr dequantized(Expr q, Expr scale, int zero) {
    return Quantization.dequantize(q, scale, zero(zero), -1, DType.FLOAT32);
  }

  private static Expr quantized(Expr x, double scale, int zero) {
    return Quantization.quantize(x, number(scale), zero(zero), -1, DType.UINT8);
  }

  /** A function of a dequantized image. */
  private static IRModule ofImage(Expr scale, UnaryOperator<Expr> function) {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.UINT8, Dim.of(2), Dim.of(4), Dim.of(6), Dim.of(6));
    return model.output("y", function.apply(dequantized(q, scale, 120))).module();
  }

  private static Tensor image() {
    byte[] values = new byte[2 * 4 * 6 * 6];
    new Random(2).nextBytes(values);
    return Tensor.of(values, DType.UINT8, Shape.of(2, 4, 6, 6));
  }

  private static Arguments of(String operator, UnaryOperator<Expr> function) {
    return Arguments.of(operator, function);
  }

  static Stream<Arguments> moves() {
    return Stream.of(
        of("reshape", x -> reshape(x, 2, 144)),
        of("permute_dims", x -> permuteDims(x, 0, 2, 3, 1)),
        of("strided_slice", x -> stridedSlice(x, List.of(2L), List.of(1L), List.of(5L))),
        of("take", x -> take(x, constant(Tensor.of(new long[] {3, 0, 3}, Shape.of(3))), 1)),
        of("nn.pad", x -> NnOps.pad(x, List.of(0L, 0L, 0L, 0L, 1L, 2L, 0L, 1L), 0)),
        of("nn.max_pool2d", x -> NnOps.maxPool2d(x, WINDOWS)),
        of("concat", x -> concat(List.of(x, x), 1)),
        of("maximum", Activations::relu),
        of("maximum", x -> Arithmetic.maximum(x, scalar(DType.FLOAT32, 0))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("moves")
  void whatMovesOrComparesElementsWorksOnIntegers(String operator, UnaryOperator<Expr> function) {
    IRModule module = ofImage(number(0.5), function);
    IRModule now = rewritten(module);
    assertThat(operators(now)).containsExactly(operator, "dequantize");
    assertThat(((Tensor) new RelaxEvaluator(now).run("main", image())).toFloatArray())
        .containsExactly(((Tensor) new RelaxEvaluator(module).run("main", image())).toFloatArray());
  }

  @Test
  void aQuantizationThatRestoresIntegersIsLeftOut() {
    IRModule module =
        ofImage(
            number(0.3), x -> quantized(NnOps.maxPool2d(Activations.relu(x), WINDOWS), 0.3, 120));
    IRModule now = rewritten(module);
    assertThat(operators(now)).containsExactly("maximum", "nn.max_pool2d");
    assertThat(((Tensor) new RelaxEvaluator(now).run("main", image())).toLongArray())
        .containsExactly(((Tensor) new RelaxEvaluator(module).run("main", image())).toLongArray());
  }

  @Test
  void integersOfMoreBitsThanFloatsHaveAreQuantizedAgain() {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.INT32, Dim.of(1));
    Expr zero = constant(Tensor.of(new int[] {0}, Shape.of()));
    Expr x = Quantization.dequantize(q, number(0.5), zero, -1, DType.FLOAT32);
    Expr y = Quantization.quantize(x, number(0.5), zero, -1, DType.INT32);
    assertThat(operators(rewritten(model.output("y", y).module())))
        .containsExactly("dequantize", "quantize");
  }

  static Stream<Arguments> others() {
    return Stream.of(
        of("nn.avg_pool2d", x -> NnOps.avgPool2d(x, WINDOWS)),
        of("nn.pad", x -> NnOps.pad(x, List.of(0L, 0L, 0L, 0L, 1L, 2L, 0L, 1L), 1)),
        of("maximum", x -> Arithmetic.maximum(x, scalar(DType.FLOAT32, 1))),
        of("quantize", x -> quantized(x, 0.25, 120)),
        of("quantize", x -> quantized(x, 0.5, 121)),
        of("quantize", x -> Quantization.quantize(x, number(0.5), zero(120), -1, DType.INT8)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void whatComputesWithElementsStays(String operator, UnaryOperator<Expr> function) {
    assertThat(operators(rewritten(ofImage(number(0.5), function))))
        .containsExactly("dequantize", operator);
  }

  @Test
  void elementsOfANegativeScaleAreNotCompared() {
    assertThat(operators(rewritten(ofImage(number(-0.5), x -> NnOps.maxPool2d(x, WINDOWS)))))
        .containsExactly("dequantize", "nn.max_pool2d");
  }

  @Test
  void tensorsOfSeveralScalesAreNotConcatenated() {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.UINT8, Dim.of(2), Dim.of(3));
    Expr both = concat(List.of(dequantized(q, number(0.5), 1), dequantized(q, number(0.25), 1)), 0);
    assertThat(operators(rewritten(model.output("y", both).module())))
        .containsExactly("dequantize", "dequantize", "concat");
  }

  @Test
  void scalesOfAnAxisAreNotMoved() {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.UINT8, Dim.of(2), Dim.of(3));
    Expr scales = constant(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
    Expr x = Quantization.dequantize(q, scales, zero(1), 1, DType.FLOAT32);
    assertThat(operators(rewritten(model.output("y", reshape(x, 6)).module())))
        .containsExactly("dequantize", "reshape");
  }
}
