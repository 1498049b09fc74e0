package org.relaxvm.compiler.pass.recognize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.astype;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.divide;
import static org.relaxvm.compiler.dsl.Ops.erf;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.mean;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.negative;
import static org.relaxvm.compiler.dsl.Ops.permuteDims;
import static org.relaxvm.compiler.dsl.Ops.power;
import static org.relaxvm.compiler.dsl.Ops.reshape;
import static org.relaxvm.compiler.dsl.Ops.rsqrt;
import static org.relaxvm.compiler.dsl.Ops.sigmoid;
import static org.relaxvm.compiler.dsl.Ops.sqrt;
import static org.relaxvm.compiler.dsl.Ops.square;
import static org.relaxvm.compiler.dsl.Ops.subtract;
import static org.relaxvm.compiler.dsl.Ops.tanh;
import static org.relaxvm.compiler.pass.recognize.Recognition.assertSame;
import static org.relaxvm.compiler.pass.recognize.Recognition.number;
import static org.relaxvm.compiler.pass.recognize.Recognition.one;
import static org.relaxvm.compiler.pass.recognize.Recognition.operators;
import static org.relaxvm.compiler.pass.recognize.Recognition.random;
import static org.relaxvm.compiler.pass.recognize.Recognition.recognized;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Dim;

class RecognizeCompositesTest {
  private static final List<Integer> LAST = List.of(-1);

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

  @Test
  void rmsNormOfFloat16IsRecognizedBetweenCasts() {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT16, Dim.symbol("n"), Dim.of(5));
    Expr weight = model.input("w", DType.FLOAT16, Dim.of(5));
    Expr wide = model.let("wide", astype(x, DType.FLOAT32));
    Expr root = rsqrt(add(mean(power(wide, number(2)), LAST, true), number(1e-6)));
    Expr normal = astype(multiply(wide, root), DType.FLOAT16);
    IRModule module = model.output("y", multiply(weight, normal)).module();
    assertThat(operators(recognized(module))).containsExactly("nn.rms_norm");
  }

  // ---------------------------------------------------------------- shapes

  /** A product of rows, as {@code x.view(-1, 4) @ w + b} viewed again. */
  private static IRModule rows(UnaryOperator<Expr> rows, boolean isUsedTwice, long... result) {
    ModuleBuilder model = new ModuleBuilder();
    Expr x = model.input("x", DType.FLOAT32, Dim.of(2), Dim.of(3), Dim.of(4));
    Expr product = model.let("p", matmul(rows.apply(x), constant(random(4, 5))));
    Expr sum = model.let("s", add(product, BETA));
    Object[] dims = Arrays.stream(result).boxed().toArray();
    model.output("y", model.let("r", reshape(sum, dims)));
    if (isUsedTwice) {
      model.output("z", model.let("z", negative(sum)));
    }
    return model.module();
  }

  @Test
  void aProductOfRowsBetweenReshapesIsOneOfTheTensor() {
    IRModule module = rows(x -> reshape(x, 6, 4), false, 2, 3, 5);
    IRModule now = recognized(module);
    assertThat(operators(now)).containsExactly("matmul", "add");
    assertSame(module, now, random(2, 3, 4));
  }

  @Test
  void otherReshapesAroundProductsStay() {
    for (IRModule module :
        List.of(
            rows(x -> reshape(x, 6, 4), true, 2, 3, 5),
            rows(x -> reshape(x, 6, 4), false, 3, 2, 5),
            rows(x -> reshape(permuteDims(x, 1, 0, 2), 6, 4), false, 2, 3, 5))) {
      assertThat(operators(recognized(module))).contains("reshape");
    }
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
