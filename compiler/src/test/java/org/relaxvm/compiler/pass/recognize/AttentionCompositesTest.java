package org.relaxvm.compiler.pass.recognize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.dsl.Ops.add;
import static org.relaxvm.compiler.dsl.Ops.astype;
import static org.relaxvm.compiler.dsl.Ops.broadcastTo;
import static org.relaxvm.compiler.dsl.Ops.constant;
import static org.relaxvm.compiler.dsl.Ops.divide;
import static org.relaxvm.compiler.dsl.Ops.expandDims;
import static org.relaxvm.compiler.dsl.Ops.matmul;
import static org.relaxvm.compiler.dsl.Ops.multiply;
import static org.relaxvm.compiler.dsl.Ops.permuteDims;
import static org.relaxvm.compiler.dsl.Ops.reshape;
import static org.relaxvm.compiler.dsl.Ops.tanh;
import static org.relaxvm.compiler.dsl.Ops.where;
import static org.relaxvm.compiler.pass.recognize.Recognition.assertSame;
import static org.relaxvm.compiler.pass.recognize.Recognition.number;
import static org.relaxvm.compiler.pass.recognize.Recognition.one;
import static org.relaxvm.compiler.pass.recognize.Recognition.operators;
import static org.relaxvm.compiler.pass.recognize.Recognition.random;
import static org.relaxvm.compiler.pass.recognize.Recognition.recognized;

import java.util.List;
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
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.shape.Repeats;
import org.relaxvm.vmcore.program.Dim;

class AttentionCompositesTest {
  private static final float LOWEST = -Float.MAX_VALUE;

  /** Hides the last key. */
  private static final Tensor PADDING = Tensor.of(new float[] {0, 0, 0, 0, LOWEST}, Shape.of(5));

  /** Attention as a person wrote it: of 2 batches, 2 heads, 3 queries and 5 keys of size 4. */
  private interface Spelling {
    Expr of(Model model);
  }

  /** Keys are transposed; of the mask the last row hides all keys. */
  private record Model(ModuleBuilder builder, Expr q, Expr k, Expr v, Expr bias, Expr mask) {
    static Model of(DType dtype) {
      ModuleBuilder model = new ModuleBuilder();
      return new Model(
          model,
          model.input("q", dtype, Dim.of(2), Dim.of(2), Dim.of(3), Dim.of(4)),
          model.input("k", dtype, Dim.of(2), Dim.of(2), Dim.of(4), Dim.of(5)),
          model.input("v", dtype, Dim.of(2), Dim.of(2), Dim.of(5), Dim.of(4)),
          model.input("bias", dtype, Dim.of(2), Dim.of(1), Dim.of(1), Dim.of(5)),
          model.input("mask", DType.BOOL, Dim.of(3), Dim.of(5)));
    }

    Expr scores() {
      return multiply(matmul(q, k), number(0.5));
    }

    Expr let(String name, Expr value) {
      return builder.let(name, value);
    }

    IRModule module(Spelling spelling) {
      return builder.output("y", spelling.of(this)).module();
    }
  }

  private static Expr weighted(Model model, Expr scores) {
    return matmul(NnOps.softmax(scores, -1), model.v());
  }

  private static Tensor[] inputs() {
    boolean[] mask = new boolean[15];
    for (int i = 0; i < 10; i++) {
      mask[i] = i % 5 <= i / 5 + 1;
    }
    return new Tensor[] {
      random(2, 2, 3, 4),
      random(2, 2, 4, 5),
      random(2, 2, 5, 4),
      random(2, 1, 1, 5),
      Tensor.of(mask, Shape.of(3, 5))
    };
  }

  private static Arguments spelling(String name, Spelling spelling) {
    return Arguments.of(name, spelling);
  }

  static Stream<Arguments> spellings() {
    return Stream.of(
        spelling("scores", m -> weighted(m, m.scores())),
        spelling("where", m -> weighted(m, where(m.mask(), m.scores(), one(LOWEST)))),
        spelling("masked fill", m -> weighted(m, where(m.mask(), one(LOWEST), m.scores()))),
        spelling(
            "where and bias",
            m -> weighted(m, add(where(m.mask(), m.scores(), one(LOWEST)), m.bias()))),
        spelling(
            "where around a bias of the lowest number",
            m -> weighted(m, where(m.mask(), add(m.scores(), constant(PADDING)), one(LOWEST)))),
        spelling("two biases", m -> weighted(m, add(m.bias(), add(m.scores(), m.bias())))),
        spelling(
            "scaled operands",
            m ->
                weighted(
                    m,
                    add(
                        matmul(multiply(m.q(), number(0.7)), divide(m.k(), number(1.5))),
                        m.bias()))),
        spelling("NaN replaced", m -> guarded(m, m)));
  }

  private static Expr guarded(Model tested, Model chosen) {
    Expr hidden = where(tested.mask(), one(0), one(Double.NEGATIVE_INFINITY));
    Expr weights = tested.let("p", NnOps.softmax(add(tested.scores(), hidden), -1));
    Expr isNan = Call.of(Functions.ISNAN, chosen.equals(tested) ? weights : chosen.scores());
    return matmul(where(isNan, one(0), weights), tested.v());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("spellings")
  void attentionIsRecognizedInAllSpellings(String name, Spelling spelling) {
    IRModule module = Model.of(DType.FLOAT32).module(spelling);
    IRModule now = recognized(module);
    assertThat(operators(now)).contains("nn.attention").doesNotContain("matmul", "nn.softmax");
    assertSame(module, now, inputs());
  }

  @Test
  void castsAroundSoftmaxAreLeftOut() {
    Model model = Model.of(DType.FLOAT16);
    IRModule module =
        model.module(
            m -> {
              Expr scores = add(matmul(m.q(), m.k()), m.bias());
              Expr weights = NnOps.softmax(astype(scores, DType.FLOAT32), -1);
              return matmul(astype(weights, DType.FLOAT16), m.v());
            });
    assertThat(operators(recognized(module))).contains("nn.attention").doesNotContain("astype");
  }

  static Stream<Arguments> others() {
    return Stream.of(
        spelling("another fill", m -> weighted(m, where(m.mask(), m.scores(), one(-10)))),
        spelling("another axis", m -> matmul(NnOps.softmax(m.scores(), 2), m.v())),
        spelling("capped", m -> weighted(m, tanh(m.scores()))),
        spelling("scaled mask", m -> weighted(m, multiply(add(m.scores(), m.bias()), number(2)))),
        spelling(
            "another value is NaN",
            m -> guarded(m, new Model(m.builder(), m.q(), m.k(), m.v(), m.bias(), m.bias()))),
        spelling(
            "NaN becomes 1",
            m -> {
              Expr weights = m.let("p", NnOps.softmax(add(m.scores(), m.bias()), -1));
              return matmul(where(Call.of(Functions.ISNAN, weights), one(1), weights), m.v());
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void whatOnlyLooksLikeAttentionStays(String name, Spelling spelling) {
    IRModule module = Model.of(DType.FLOAT32).module(spelling);
    assertThat(operators(recognized(module))).doesNotContain("nn.attention");
  }

  @Test
  void weightsThatAreAResultTooStay() {
    Model model = Model.of(DType.FLOAT32);
    Expr weights = model.let("p", NnOps.softmax(model.scores(), -1));
    model.builder().output("weights", weights);
    IRModule module = model.module(m -> matmul(weights, m.v()));
    assertThat(operators(recognized(module))).doesNotContain("nn.attention");
  }

  // ---------------------------------------------------------------- layouts

  private static Expr heads(Expr x) {
    return permuteDims(x, 0, 2, 1, 3);
  }

  private static IRModule symbolic(boolean isMasked) {
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
      IRModule module = symbolic(isMasked);
      IRModule now = recognized(module);
      assertThat(operators(now)).containsExactly("nn.attention");
      Tensor x = random(2, 3, 2, 4);
      assertSame(module, now, x, x, x, random(2, 1, 1, 3));
    }
  }

  @Test
  void matricesWithoutHeadsAreHeadsOfTheirOwn() {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.FLOAT32, Dim.of(6), Dim.of(3), Dim.of(4));
    Expr k = model.input("k", DType.FLOAT32, Dim.of(6), Dim.of(5), Dim.of(4));
    Expr v = model.input("v", DType.FLOAT32, Dim.of(6), Dim.of(5), Dim.of(4));
    Expr bias = model.input("bias", DType.FLOAT32, Dim.of(3), Dim.of(5));
    Expr scores = add(matmul(q, permuteDims(k, 0, 2, 1)), bias);
    IRModule module = model.output("y", matmul(NnOps.softmax(scores, 2), v)).module();
    IRModule now = recognized(module);
    assertThat(operators(now)).contains("nn.attention").doesNotContain("matmul", "permute_dims");
    assertSame(module, now, random(6, 3, 4), random(6, 5, 4), random(6, 5, 4), random(3, 5));
  }

  private static IRModule shared(long batches, long heads, UnaryOperator<Expr> repeated) {
    ModuleBuilder model = new ModuleBuilder();
    Expr q = model.input("q", DType.FLOAT32, Dim.of(2), Dim.of(4), Dim.of(3), Dim.of(4));
    Expr k = model.input("k", DType.FLOAT32, Dim.of(batches), Dim.of(heads), Dim.of(5), Dim.of(4));
    Expr v = model.input("v", DType.FLOAT32, Dim.of(batches), Dim.of(heads), Dim.of(5), Dim.of(4));
    Expr keys = permuteDims(repeated.apply(k), 0, 1, 3, 2);
    Expr weights = NnOps.softmax(multiply(matmul(q, keys), number(0.5)), -1);
    return model.output("y", matmul(weights, repeated.apply(v))).module();
  }

  @Test
  void headsThatWereRepeatedAreReadOnce() {
    for (UnaryOperator<Expr> repeated :
        List.<UnaryOperator<Expr>>of(
            x -> reshape(broadcastTo(expandDims(x, 2), 2, 2, 2, 5, 4), 2, 4, 5, 4),
            x -> Repeats.repeat(x, 2, 1))) {
      IRModule module = shared(2, 2, repeated);
      IRModule now = recognized(module);
      assertThat(operators(now))
          .contains("nn.attention")
          .doesNotContain("matmul", "broadcast_to", "repeat");
      assertSame(module, now, random(2, 4, 3, 4), random(2, 2, 5, 4), random(2, 2, 5, 4));
    }
  }

  @Test
  void headsInAnotherOrderAreRepeated() {
    IRModule module =
        shared(2, 2, x -> reshape(broadcastTo(expandDims(x, 1), 2, 2, 2, 5, 4), 2, 4, 5, 4));
    IRModule now = recognized(module);
    assertThat(operators(now)).contains("nn.attention", "broadcast_to");
    assertSame(module, now, random(2, 4, 3, 4), random(2, 2, 5, 4), random(2, 2, 5, 4));
  }

  @Test
  void oneHeadServesAllQueries() {
    IRModule module = shared(2, 1, x -> x);
    IRModule now = recognized(module);
    assertThat(operators(now)).contains("nn.attention").doesNotContain("matmul");
    assertSame(module, now, random(2, 4, 3, 4), random(2, 1, 5, 4), random(2, 1, 5, 4));
  }

  @Test
  void batchesThatBroadcastStay() {
    assertThat(operators(recognized(shared(1, 4, x -> x)))).doesNotContain("nn.attention");
  }
}
