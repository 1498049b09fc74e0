package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.ofRank;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;

class AttentionTest {
  private static final RelaxVar Q = floats("q", 2, 5, 4, 8);
  private static final RelaxVar K = floats("k", 2, 7, 2, 8);
  private static final RelaxVar V = floats("v", 2, 7, 2, 6);

  private static Call biased(Object... dims) {
    return Attention.attention(Q, K, V, floats("b", dims));
  }

  @Test
  void derivesTheShape() {
    String type = "R.Tensor((2, 5, 4, 6), dtype=\"float32\")";
    assertThat(textOf(Attention.attention(Q, K, V))).isEqualTo(type);
    assertThat(textOf(biased(2, 4, 5, 7))).isEqualTo(type);
    assertThat(textOf(biased(1, 1, 5, 7))).isEqualTo(type);
    assertThat(textOf(biased(2, 1, symbol("m"), 7))).isEqualTo(type);
    assertThat(textOf(Call.of(Attention.ATTENTION_BIAS, Q, K, V, floats("b", 1, 1, 1, 7))))
        .isEqualTo(type);
    RelaxVar n = tensor("n", DType.INT32, 3);
    assertThat(textOf(Call.of(Attention.ATTENTION_VAR_LEN, Q, K, V, n, n, n, n))).isEqualTo(type);
    RelaxVar symbolic = floats("q", symbol("b"), symbol("s"), 4, 8);
    assertThat(textOf(Attention.attention(symbolic, K, V)))
        .isEqualTo("R.Tensor((b, s, 4, 6), dtype=\"float32\")");
    assertThat(textOf(Attention.attention(unknown("q"), K, V))).isEqualTo("R.Tensor(ndim=4)");
    assertThat(textOf(Attention.attention(ofRank("q", DType.FLOAT32, 4), K, V)))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=4)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Attention.attention(floats("q", 5, 4, 8), K, V),
            "nn.attention: the argument query must be a tensor with 4 axes, but is"
                + " R.Tensor((5, 4, 8), dtype=\"float32\")"),
        Arguments.of(
            Attention.attention(Q, tensor("k", DType.FLOAT16, 2, 7, 2, 8), V),
            "nn.attention: expected one dtype, but query is float32 and key is float16; use"
                + " astype"),
        Arguments.of(
            Attention.attention(Q, K, floats("v", 3, 7, 2, 6)),
            "nn.attention: the extents of axis 0 (batches) of key and value must be equal, but are"
                + " 2 and 3"),
        Arguments.of(
            Attention.attention(Q, K, floats("v", 2, 8, 2, 6)),
            "nn.attention: the extents of axis 1 of key and value must be equal, but are 7 and 8"),
        Arguments.of(
            Attention.attention(Q, K, floats("v", 2, 7, 4, 6)),
            "nn.attention: the extents of axis 2 (heads) of key and value must be equal, but are 2"
                + " and 4"),
        Arguments.of(
            Attention.attention(floats("q", 1, 5, 4, 8), K, V),
            "nn.attention: the extents of axis 0 (batches) of query and key must be equal, but are"
                + " 1 and 2"),
        Arguments.of(
            Attention.attention(floats("q", 2, 5, 4, 9), K, V),
            "nn.attention: the extents of axis 3 of query and key must be equal, but are 9 and 8"),
        Arguments.of(
            Attention.attention(floats("q", 2, 5, 3, 8), K, V),
            "nn.attention: the heads of query must be a multiple of those of key, but are 3 and"
                + " 2"),
        Arguments.of(
            biased(2, 2, 5, 7),
            "nn.attention: bias must be broadcast to (2, 4, 5, 7) (batch, heads, queries, keys),"
                + " but is (2, 2, 5, 7)"),
        Arguments.of(
            biased(5, 7),
            "nn.attention: the argument bias must be a tensor with 4 axes, but is"
                + " R.Tensor((5, 7), dtype=\"float32\")"),
        Arguments.of(
            Attention.attention(List.of(Q, K, V), Attrs.of("causal_mask", "Left")),
            "nn.attention: causal_mask must be \"TopLeft\" or \"BottomRight\", or absent, but is"
                + " \"Left\""),
        Arguments.of(
            Attention.attention(List.of(Q, K, V), Attrs.of("window_size", 4)),
            "nn.attention: window_size must be at least 1, and needs a causal_mask, but is 4 with"
                + " the mask none"),
        Arguments.of(
            Attention.attention(
                List.of(Q, K, V), Attrs.of("causal_mask", "TopLeft").with("window_size", 0)),
            "nn.attention: window_size must be at least 1, and needs a causal_mask, but is 0 with"
                + " the mask TopLeft"),
        Arguments.of(
            Call.of(Attention.ATTENTION, Q, K),
            "nn.attention takes from 3 to 4 arguments (query, key, value, bias), but got 2"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final RelaxVar SMALL = floats("q", 1, 2, 1, 1);
  private static final RelaxVar KEYS = floats("k", 1, 3, 1, 1);
  private static final RelaxVar VALUES = floats("v", 1, 3, 1, 1);
  private static final Tensor ZEROS = Tensor.zeros(DType.FLOAT32, Shape.of(1, 2, 1, 1));
  private static final Tensor ONES = Tensor.of(new float[] {1, 1, 1}, Shape.of(1, 3, 1, 1));
  private static final Tensor DATA = Tensor.of(new float[] {3, 6, 9}, Shape.of(1, 3, 1, 1));

  private static float[] attend(Attrs attrs) {
    Call call = Attention.attention(List.of(SMALL, KEYS, VALUES), attrs);
    return compute(call, ZEROS, ONES, DATA).getFirst().toFloatArray();
  }

  @Test
  void computesWhatEachMaskLetsSee() {
    assertThat(attend(Attrs.NONE)).containsExactly(6, 6);
    assertThat(attend(Attrs.of("causal_mask", "TopLeft"))).containsExactly(3, 4.5f);
    assertThat(attend(Attrs.of("causal_mask", "BottomRight"))).containsExactly(4.5f, 6);
    assertThat(attend(Attrs.of("causal_mask", "BottomRight").with("window_size", 1)))
        .containsExactly(6, 9);
  }

  @Test
  void addsTheBias() {
    float low = Float.NEGATIVE_INFINITY;
    Tensor bias = Tensor.of(new float[] {0, 0, low}, Shape.of(1, 1, 1, 3));
    Call call = Attention.attention(SMALL, KEYS, VALUES, floats("b", 1, 1, 1, 3));
    assertThat(compute(call, ZEROS, ONES, DATA, bias).getFirst().toFloatArray())
        .containsExactly(4.5f, 4.5f);
  }

  @Test
  void scalesTheProducts() {
    Tensor large = Tensor.of(new float[] {100, 0, 0}, Shape.of(1, 3, 1, 1));
    Tensor queries = Tensor.of(new float[] {1, 1}, Shape.of(1, 2, 1, 1));
    Call call = Attention.attention(List.of(SMALL, KEYS, VALUES), Attrs.of("scale", 0.0));
    assertThat(compute(call, queries, large, DATA).getFirst().toFloatArray()).containsExactly(6, 6);
  }
}
