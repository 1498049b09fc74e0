package org.relaxvm.compiler.pass.recognize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.divide;
import static org.relaxvm.compiler.dsl.Ops.erf;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.mean;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.permuteDims;
import static org.relaxvm.compiler.dsl.Ops.power;
import static org.relaxvm.compiler.dsl.Ops.rsqrt;
import static org.relaxvm.compiler.dsl.Ops.scalar;
import static org.relaxvm.compiler.dsl.Ops.sigmoid;
import static org.relaxvm.compiler.dsl.Ops.sqrt;
import static org.relaxvm.compiler.dsl.Ops.square;
import static org.relaxvm.compiler.dsl.Ops.subtract;
import static org.relaxvm.compiler.dsl.Ops.tanh;

import java.util.Arrays;
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
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.simplify.DeadCodeElimination;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Dim;

class RecognizeCompositesTest {
  private static final List<Integer> LAST = List.of(-1);

  private static IRModule recognized(IRModule module) {
    IRModule now = new RecognizeComposites().run(module, PassContext.DEFAULT);
    return new DeadCodeElimination().run(now, PassContext.DEFAULT);
  }

  /** The operators of a module, in order. */
  private static List<String> operators(IRModule module) {
    return RelaxText.print(module)
        .lines()
        .filter(line -> line.contains("= R."))
        .map(line -> line.replaceAll(".*= R\\.([a-z_.]+)\\(.*", "$1"))
        .filter(name -> !name.contains("="))
        .toList();
  }

  private static Tensor random(long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[(int) shape.elementCount()];
    Random random = new Random(Arrays.hashCode(dims));
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.of(values, shape);
  }

  /** The module computes the same as before, up to rounding. */
  private static void assertSame(IRModule before, IRModule after, Tensor... inputs) {
    float[] want =
        ((Tensor) new RelaxEvaluator(before).run("main", (Object[]) inputs)).toFloatArray();
    float[] got =
        ((Tensor) new RelaxEvaluator(after).run("main", (Object[]) inputs)).toFloatArray();
    assertThat(got).hasSameSizeAs(want);
    for (int i = 0; i < want.length; i++) {
      assertThat(got[i]).isCloseTo(want[i], within(1e-5f * Math.max(1, Math.abs(want[i]))));
    }
  }

  private static Expr number(double value) {
    return scalar(DType.FLOAT32, value);
  }

  private static Expr one(double value) {
    return constant(Tensor.of(new float[] {(float) value}, Shape.of()));
  }

  // ---------------------------------------------------------------- activations

  private static IRModule ofVector(UnaryOperator<Expr> function) {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(5));
    return model.output("y", function.apply(x)).module();
  }

  private static Expr gate(Expr x) {
    return add(erf(divide(x, one(Math.sqrt(2)))), one(1));
  }

  private static Expr tangent(Expr u) {
    return add(tanh(multiply(number(Math.sqrt(2 / Math.PI)), u)), number(1));
  }

  static Stream<Arguments> activations() {
    return Stream.of(
        of("nn.gelu", x -> multiply(multiply(x, gate(x)), one(0.5))),
        of("nn.gelu", x -> multiply(multiply(x, number(0.5)), gate(x))),
        of("nn.gelu", x -> multiply(number(0.5), multiply(gate(x), x))),
        of("nn.gelu", x -> divide(multiply(x, gate(x)), number(2))),
        of(
            "nn.gelu",
            x ->
                multiply(
                    x,
                    add(
                        number(0.5),
                        multiply(erf(multiply(x, number(Math.sqrt(0.5)))), number(0.5))))),
        of(
            "nn.gelu_tanh",
            x ->
                multiply(
                    multiply(number(0.5), x),
                    tangent(add(x, multiply(number(0.044715), power(x, number(3))))))),
        of(
            "nn.gelu_tanh",
            x ->
                multiply(
                    multiply(number(0.5), x),
                    tangent(add(multiply(multiply(multiply(x, x), x), one(0.044715)), x)))),
        of(
            "nn.gelu_tanh",
            x ->
                multiply(
                    x,
                    multiply(
                        number(0.5),
                        tangent(
                            multiply(
                                x, add(number(1), multiply(number(0.044715), multiply(x, x)))))))),
        of("nn.silu", x -> multiply(sigmoid(x), x)));
  }

  private static Arguments of(String operator, UnaryOperator<Expr> function) {
    return Arguments.of(operator, function);
  }

  @ParameterizedTest
  @MethodSource("activations")
  void activationsAreRecognizedInAllSpellings(String operator, UnaryOperator<Expr> function) {
    IRModule module = ofVector(function);
    IRModule now = recognized(module);
    assertThat(operators(now)).containsExactly(operator);
    assertSame(module, now, random(3, 5));
  }

  @Test
  void whatOnlyLooksLikeAnActivationStays() {
    for (UnaryOperator<Expr> function :
        List.<UnaryOperator<Expr>>of(
            x -> multiply(multiply(x, gate(x)), number(0.4)),
            x -> multiply(multiply(x, add(erf(x), number(1))), number(0.5)),
            x -> multiply(multiply(add(x, x), gate(x)), number(0.5)),
            x -> multiply(sigmoid(add(x, x)), x))) {
      assertThat(operators(recognized(ofVector(function))))
          .doesNotContain("nn.gelu", "nn.gelu_tanh", "nn.silu");
    }
  }

  // ---------------------------------------------------------------- normalizations

  private static final Expr GAMMA = constant(random(5));
  private static final Expr BETA = constant(random(5));

  private static Expr difference(ModuleBuilder model, Expr x) {
    return model.let("d", subtract(x, mean(x, LAST, true)));
  }

  @Test
  void layerNormIsRecognized() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(5));
    Expr d = difference(model, x);
    Expr variance = mean(power(d, one(2)), LAST, true);
    Expr y = divide(d, sqrt(add(variance, one(1e-5))));
    IRModule module = model.output("y", add(multiply(y, GAMMA), BETA)).module();
    IRModule now = recognized(module);
    assertThat(operators(now)).containsExactly("nn.layer_norm");
    assertThat(RelaxText.print(now)).contains("epsilon=").contains("axes=[1]");
    assertSame(module, now, random(3, 5));
  }

  @Test
  void aVarianceOfOneElementIsNoLayerNorm() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(5));
    Expr d = difference(model, x);
    Expr other = model.let("o", add(x, x));
    Expr y = divide(d, sqrt(add(mean(square(other), LAST, true), number(1e-5))));
    IRModule module = model.output("y", add(multiply(y, GAMMA), BETA)).module();
    assertThat(operators(recognized(module))).doesNotContain("nn.layer_norm");
  }

  @Test
  void rmsNormIsRecognized() {
    IRModule module =
        ofVector(
            x ->
                multiply(
                    GAMMA,
                    multiply(x, rsqrt(add(mean(multiply(x, x), LAST, true), number(1e-6))))));
    IRModule now = recognized(module);
    assertThat(operators(now)).containsExactly("nn.rms_norm");
    assertSame(module, now, random(3, 5));
    IRModule divided =
        ofVector(
            x ->
                multiply(
                    multiply(
                        x, divide(number(1), sqrt(add(number(1e-6), mean(square(x), LAST, true))))),
                    GAMMA));
    assertThat(operators(recognized(divided))).containsExactly("nn.rms_norm");
  }

  // ---------------------------------------------------------------- attention

  private static Expr heads(Expr x) {
    return permuteDims(x, 0, 2, 1, 3);
  }

  private static IRModule attention(boolean isMasked) {
    ModuleBuilder model = new ModuleBuilder();
    Dim b = Dim.symbol("b");
    Dim s = Dim.symbol("s");
    Expr q = model.input("q", DType.FLOAT32, b, s, Dim.of(2), Dim.of(4));
    Expr k = model.input("k", DType.FLOAT32, b, s, Dim.of(2), Dim.of(4));
    Expr v = model.input("v", DType.FLOAT32, b, s, Dim.of(2), Dim.of(4));
    Expr mask = model.input("mask", DType.FLOAT32, b, Dim.of(1), Dim.of(1), s);
    Expr scores = divide(matmul(heads(q), permuteDims(k, 0, 2, 3, 1)), one(2));
    Expr weights = NnOps.softmax(isMasked ? add(scores, mask) : scores, -1);
    return model.output("y", heads(matmul(weights, heads(v)))).module();
  }

  @Test
  void attentionIsRecognizedWithoutTransposes() {
    for (boolean isMasked : List.of(false, true)) {
      IRModule module = attention(isMasked);
      IRModule now = recognized(module);
      assertThat(operators(now)).containsExactly("nn.attention");
      Tensor x = random(2, 3, 2, 4);
      assertSame(module, now, x, x, x, random(2, 1, 1, 3));
    }
  }

  @Test
  void otherLayoutsAreTransposed() {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.FLOAT32, Dim.of(1), Dim.of(2), Dim.of(3), Dim.of(4));
    Expr k = model.input("k", DType.FLOAT32, Dim.of(1), Dim.of(2), Dim.of(4), Dim.of(3));
    Expr v = model.input("v", DType.FLOAT32, Dim.of(1), Dim.of(2), Dim.of(3), Dim.of(4));
    IRModule module = model.output("y", matmul(NnOps.softmax(matmul(q, k), 3), v)).module();
    IRModule now = recognized(module);
    assertThat(operators(now)).contains("nn.attention").doesNotContain("matmul");
    assertSame(module, now, random(1, 2, 3, 4), random(1, 2, 4, 3), random(1, 2, 3, 4));
  }

  @Test
  void headsThatBroadcastStay() {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.FLOAT32, Dim.of(1), Dim.of(2), Dim.of(3), Dim.of(4));
    Expr k = model.input("k", DType.FLOAT32, Dim.of(1), Dim.of(1), Dim.of(4), Dim.of(3));
    Expr v = model.input("v", DType.FLOAT32, Dim.of(1), Dim.of(1), Dim.of(3), Dim.of(4));
    IRModule module = model.output("y", matmul(NnOps.softmax(matmul(q, k), 3), v)).module();
    assertThat(operators(recognized(module))).doesNotContain("nn.attention");
  }

  @Test
  void transposesOfTransposesDisappear() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.of(2), Dim.of(3), Dim.of(4));
    Expr restored = permuteDims(permuteDims(x, 2, 0, 1), 1, 2, 0);
    Expr other = permuteDims(permuteDims(x, 2, 0, 1), 0, 2, 1);
    IRModule module = model.output("y", restored).output("z", other).module();
    IRModule now = recognized(module);
    assertThat(operators(now)).containsExactly("permute_dims");
    assertThat(RelaxText.print(now)).contains("axes=[2, 1, 0]");
  }
}
