package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;

class LinearAttentionTest {
  private static final RelaxVar KEY = floats("k", 1, 2, 1, 1);
  private static final RelaxVar VALUE = floats("v", 1, 2, 1, 1);
  private static final RelaxVar STATE = floats("s", 1, 1, 1, 1);

  private static Tensor numbers(float... values) {
    return Tensor.of(values, Shape.of(1, values.length, 1, 1));
  }

  @Test
  void derivesTheType() {
    RelaxVar query = floats("q", 1, symbol("t"), 4, 8);
    RelaxVar key = floats("k", 1, symbol("t"), 2, 8);
    RelaxVar value = floats("v", 1, symbol("t"), 2, 6);
    RelaxVar state = tensor("s", DType.FLOAT16, 1, 2, 8, 6);
    assertThat(
            textOf(
                LinearAttention.linearAttention(
                    List.of(query, key, value, state), Optional.empty(), Optional.empty(), 1)))
        .isEqualTo(
            "R.Tuple(R.Tensor((1, t, 4, 6), dtype=\"float32\"),"
                + " R.Tensor((1, 2, 8, 6), dtype=\"float16\"))");
  }

  @Test
  void refusesWhatIsCertainlyWrong() {
    assertThat(
            messageOf(
                LinearAttention.linearAttention(
                    List.of(KEY, KEY, VALUE, floats("s", 1, 1, 2, 1)),
                    Optional.empty(),
                    Optional.empty(),
                    1)))
        .isEqualTo(
            "nn.linear_attention: the extents of axes 3 and 2 of key and state must be equal, but"
                + " are 1 and 2");
    assertThat(
            messageOf(
                Call.of(
                    LinearAttention.LINEAR_ATTENTION,
                    List.of(KEY, KEY, VALUE, STATE, Tuple.of(KEY)),
                    Attrs.NONE)))
        .isEqualTo("nn.linear_attention: expected 0 gates, but got 1");
  }

  @Test
  void theStateDecaysAndIsCorrected() {
    RelaxVar decay = floats("d", 1, 2, 1, 1);
    RelaxVar rates = floats("r", 1, 2, 1);
    Call call =
        LinearAttention.linearAttention(
            List.of(floats("q", 1, 2, 1, 1), KEY, VALUE, STATE),
            Optional.of(decay),
            Optional.of(rates),
            2);
    List<Tensor> results =
        compute(
            call,
            numbers(1, 1),
            numbers(3, 2),
            numbers(5, 7),
            numbers(0.5f),
            numbers(-1, -2),
            Tensor.of(new float[] {0.25f, 0.5f}, Shape.of(1, 2, 1)));
    double s = 0.5 * Math.exp(-1);
    s += 3 * 0.25 * (5 - s * 3);
    double first = 2 * s;
    s *= Math.exp(-2);
    s += 2 * 0.5 * (7 - s * 2);
    assertThat((double) results.get(0).toFloatArray()[0]).isCloseTo(first, within(1e-5));
    assertThat((double) results.get(0).toFloatArray()[1]).isCloseTo(2 * s, within(1e-5));
    assertThat((double) results.get(1).toFloatArray()[0]).isCloseTo(s, within(1e-5));
  }
}
