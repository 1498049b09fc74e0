package org.relaxvm.compiler.pass.fold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.astype;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.divide;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.scalar;
import static org.relaxvm.compiler.dsl.Ops.subtract;

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
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.pass.simplify.DecomposeOpsForInference;
import org.relaxvm.compiler.pass.simplify.FoldConstant;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Dim;

class FoldScaleAxisTest {
  private static float[] numbers(int count, double least) {
    Random random = new Random(count);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (least == 0 ? random.nextGaussian() : least + random.nextDouble());
    }
    return values;
  }

  private static Tensor random(long... dims) {
    return Tensor.of(numbers((int) Shape.of(dims).elementCount(), 0), Shape.of(dims));
  }

  private static Expr weights(long... dims) {
    return constant(random(dims));
  }

  /** Numbers that may be divisors. */
  private static Expr positive(long... dims) {
    return constant(Tensor.of(numbers((int) Shape.of(dims).elementCount(), 0.5), Shape.of(dims)));
  }

  private static IRModule folded(IRModule module) {
    IRModule now = new DecomposeOpsForInference().run(module, PassContext.DEFAULT);
    now = new FoldConstant().run(now, PassContext.DEFAULT);
    now = new FoldScaleAxis().run(now, PassContext.DEFAULT);
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

  private static void assertSame(IRModule before, IRModule after, Tensor input) {
    float[] want = ((Tensor) new RelaxEvaluator(before).run("main", input)).toFloatArray();
    float[] got = ((Tensor) new RelaxEvaluator(after).run("main", input)).toFloatArray();
    assertThat(got).hasSameSizeAs(want);
    for (int i = 0; i < want.length; i++) {
      assertThat(got[i]).isCloseTo(want[i], within(1e-4f * Math.max(1, Math.abs(want[i]))));
    }
  }

  private static IRModule of(List<Long> dims, UnaryOperator<Expr> function) {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, dims.stream().map(Dim::of).toArray(Dim[]::new));
    return model.output("y", function.apply(x)).module();
  }

  private static Expr batchNorm(Expr x, int axis, long channels) {
    List<Expr> args =
        List.of(x, weights(channels), weights(channels), weights(channels), positive(channels));
    Attrs attrs = Attrs.of("axis", axis).with("epsilon", 1e-5).with("training", false);
    return new TupleGetItem(Call.of(Norms.BATCH_NORM, args, attrs), 0);
  }

  private static Expr conv(Expr x, ConvOptions options, long... weights) {
    return Convolutions.conv2d(x, weights(weights), options);
  }

  private static Arguments folding(
      String name, List<Long> dims, List<String> operators, UnaryOperator<Expr> function) {
    return Arguments.of(name, dims, operators, function);
  }

  static Stream<Arguments> foldings() {
    List<Long> image = List.of(2L, 4L, 5L, 5L);
    List<String> biased = List.of("nn.conv2d", "add");
    return Stream.of(
        folding(
            "batch normalization",
            image,
            biased,
            x -> batchNorm(conv(x, ConvOptions.DEFAULT, 6, 4, 3, 3), 1, 6)),
        folding(
            "batch normalization after a bias",
            image,
            biased,
            x -> batchNorm(add(conv(x, ConvOptions.DEFAULT, 6, 4, 3, 3), weights(6, 1, 1)), 1, 6)),
        folding(
            "groups",
            image,
            biased,
            x -> batchNorm(conv(x, ConvOptions.DEFAULT.withGroups(2), 6, 2, 3, 3), 1, 6)),
        folding(
            "channels last",
            List.of(2L, 5L, 5L, 4L),
            biased,
            x ->
                batchNorm(
                    conv(x, ConvOptions.DEFAULT.withLayouts("NHWC", "HWIO"), 3, 3, 4, 6), 3, 6)),
        folding(
            "transposed, in groups",
            image,
            List.of("nn.conv2d_transpose", "add"),
            x ->
                batchNorm(
                    Convolutions.conv2dTranspose(
                        x, weights(4, 3, 3, 3), ConvOptions.DEFAULT.withGroups(2)),
                    1,
                    6)),
        folding(
            "a matmul",
            List.of(3L, 4L),
            List.of("matmul", "add"),
            x -> batchNorm(add(matmul(x, weights(4, 6)), weights(6)), 1, 6)),
        folding(
            "a scale alone",
            image,
            List.of("nn.conv2d"),
            x -> multiply(conv(x, ConvOptions.DEFAULT, 6, 4, 3, 3), weights(1, 6, 1, 1))),
        folding(
            "a number",
            image,
            biased,
            x ->
                subtract(
                    scalar(DType.FLOAT32, 2),
                    divide(conv(x, ConvOptions.DEFAULT, 6, 4, 3, 3), scalar(DType.FLOAT32, 3)))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("foldings")
  void scalesAndShiftsOfChannelsAreFolded(
      String name, List<Long> dims, List<String> operators, UnaryOperator<Expr> function) {
    IRModule module = of(dims, function);
    IRModule now = folded(module);
    assertThat(operators(now)).containsExactlyElementsOf(operators);
    assertSame(module, now, random(dims.stream().mapToLong(n -> n).toArray()));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        folding(
            "another axis",
            List.of(2L, 4L, 8L, 8L),
            List.of("nn.conv2d", "multiply"),
            x -> multiply(conv(x, ConvOptions.DEFAULT, 6, 4, 3, 3), weights(6, 1))),
        folding(
            "a scale of each element",
            List.of(2L, 4L, 5L, 5L),
            List.of("nn.conv2d", "multiply"),
            x -> multiply(conv(x, ConvOptions.DEFAULT, 6, 4, 3, 3), weights(6, 3, 3))),
        folding(
            "a scale that adds axes",
            List.of(3L, 4L),
            List.of("matmul", "multiply"),
            x -> multiply(matmul(x, weights(4, 6)), weights(1, 1, 6))),
        folding(
            "a divisor of 0",
            List.of(3L, 4L),
            List.of("matmul", "divide"),
            x -> divide(matmul(x, weights(4, 6)), constant(Tensor.of(new float[6], Shape.of(6))))),
        folding(
            "a number divided",
            List.of(3L, 4L),
            List.of("matmul", "divide"),
            x -> divide(weights(6), matmul(x, weights(4, 6)))),
        folding(
            "a bias alone",
            List.of(3L, 4L),
            List.of("matmul", "add"),
            x -> add(matmul(x, weights(4, 6)), weights(6))),
        folding(
            "weights that are no constant",
            List.of(3L, 3L),
            List.of("matmul", "multiply"),
            x -> multiply(matmul(x, x), weights(3))),
        folding(
            "another dtype",
            List.of(3L, 4L),
            List.of("astype", "matmul", "multiply"),
            x ->
                multiply(
                    matmul(
                        astype(x, DType.FLOAT16),
                        constant(Tensor.zeros(DType.FLOAT16, Shape.of(4, 6)))),
                    constant(Tensor.zeros(DType.FLOAT16, Shape.of(6))))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void whatIsNoScaleOfChannelsStays(
      String name, List<Long> dims, List<String> operators, UnaryOperator<Expr> function) {
    assertThat(operators(folded(of(dims, function)))).containsExactlyElementsOf(operators);
  }

  @Test
  void aProductWithAnotherUseStays() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(4));
    Expr product = model.let("p", matmul(x, weights(4, 6)));
    model.output("y", model.let("scaled", multiply(product, weights(6))));
    model.output("z", product);
    assertThat(operators(folded(model.module()))).containsExactly("matmul", "multiply");
  }

  @Test
  void weightsOfSeveralProductsAreScaledApart() {
    Expr weights = weights(4, 6);
    IRModule module =
        of(
            List.of(3L, 4L),
            x ->
                add(
                    multiply(matmul(x, weights), weights(6)),
                    divide(matmul(x, weights), positive(6))));
    IRModule now = folded(module);
    assertThat(operators(now)).containsExactly("matmul", "matmul", "add");
    assertSame(module, now, random(3, 4));
  }
}
