package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
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
import org.relaxvm.tir.op.serial.GateFunction;
import org.relaxvm.tir.op.serial.GateFunction.Kind;

class RecurrentTest {
  private static final RelaxVar LENGTHS = tensor("l", DType.INT64, 2);
  private static final RelaxVar HIDDEN = floats("h", 2, 3);

  private static Attrs attrs(boolean reverse, Kind... kinds) {
    return Recurrent.attrs(Stream.of(kinds).map(GateFunction::of).toList(), reverse, null);
  }

  private static Call rnn(RelaxVar x, RelaxVar recurrence, RelaxVar lengths, Kind... kinds) {
    return Recurrent.rnn(List.of(x, recurrence, HIDDEN, lengths), attrs(false, kinds));
  }

  @Test
  void derivesTheType() {
    assertThat(textOf(rnn(floats("x", symbol("t"), 2, 3), floats("r", 3, 3), LENGTHS, Kind.TANH)))
        .isEqualTo(
            "R.Tuple(R.Tensor((t, 2, 3), dtype=\"float32\"), R.Tensor((2, 3), dtype=\"float32\"))");
    assertThat(
            textOf(
                Recurrent.lstm(
                    List.of(floats("x", 4, 2, 12), floats("r", 3, 12), HIDDEN, LENGTHS, HIDDEN),
                    attrs(true, Kind.SIGMOID, Kind.TANH, Kind.TANH),
                    true)))
        .isEqualTo(
            "R.Tuple(R.Tensor((4, 2, 3), dtype=\"float32\"), R.Tensor((2, 3), dtype=\"float32\"),"
                + " R.Tensor((2, 3), dtype=\"float32\"))");
    assertThat(textOf(Call.of(Recurrent.GRU, unknown("x"), unknown("r"), HIDDEN, LENGTHS)))
        .isEqualTo("R.Tuple(R.Tensor(ndim=3), R.Tensor(ndim=2))");
  }

  static Stream<Arguments> mistakes() {
    RelaxVar x = floats("x", 4, 2, 3);
    RelaxVar r = floats("r", 3, 3);
    return Stream.of(
        Arguments.of(
            rnn(floats("x", 2, 3), r, LENGTHS, Kind.TANH),
            "nn.rnn: the argument x must be a tensor with 3 axes, but is"
                + " R.Tensor((2, 3), dtype=\"float32\")"),
        Arguments.of(
            rnn(x, r, floats("l", 2), Kind.TANH),
            "nn.rnn: the argument lengths must be a tensor of integers, but is"
                + " R.Tensor((2,), dtype=\"float32\")"),
        Arguments.of(
            rnn(floats("x", 4, 1, 3), r, LENGTHS, Kind.TANH),
            "nn.rnn: the extents of axis 1 of x and axis 0 of hidden must be equal, but are 1 and"
                + " 2"),
        Arguments.of(
            rnn(x, floats("r", 3, 6), LENGTHS, Kind.TANH),
            "nn.rnn: the extents of axis 1 of recurrence and the gates must be equal, but are 6"
                + " and 3"),
        Arguments.of(
            rnn(x, r, LENGTHS, Kind.TANH, Kind.TANH), "nn.rnn: expected 1 functions, but got 2"),
        Arguments.of(
            Call.of(
                Recurrent.RNN,
                List.of(x, r, HIDDEN, LENGTHS),
                Attrs.of("functions", "sine")
                    .with("alpha", List.of(0.0))
                    .with("beta", List.of(0.0))),
            "nn.rnn: there is no function 'sine'; there are relu, tanh, sigmoid, affine,"
                + " leaky_relu, thresholded_relu, scaled_tanh, hard_sigmoid, elu, softsign,"
                + " softplus"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  @Test
  void shorterSequencesKeepTheirStateAndGiveZeros() {
    Call call =
        Recurrent.rnn(
            List.of(floats("x", 2, 2, 1), floats("r", 1, 1), floats("h", 2, 1), LENGTHS),
            attrs(false, Kind.AFFINE).with("alpha", List.of(1.0)).with("beta", List.of(0.0)));
    List<Tensor> results =
        compute(
            call,
            Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2, 1)),
            Tensor.of(new float[] {10}, Shape.of(1, 1)),
            Tensor.of(new float[] {0, 1}, Shape.of(2, 1)),
            Tensor.of(new long[] {2, 1}, Shape.of(2)));
    assertThat(results.get(0).toFloatArray()).containsExactly(1, 12, 13, 0);
    assertThat(results.get(1).toFloatArray()).containsExactly(13, 12);
  }

  @Test
  void computesLongShortTermMemory() {
    Call call =
        Recurrent.lstm(
            List.of(
                floats("x", 1, 1, 4),
                floats("r", 1, 4),
                floats("h", 1, 1),
                tensor("l", DType.INT64, 1),
                floats("c", 1, 1),
                floats("p", 3)),
            attrs(false, Kind.SIGMOID, Kind.TANH, Kind.TANH),
            false);
    double h = 0.5;
    double c = -0.25;
    List<Tensor> results =
        compute(
            call,
            Tensor.of(new float[] {0.1f, 0.2f, 0.3f, 0.4f}, Shape.of(1, 1, 4)),
            Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(1, 4)),
            Tensor.of(new float[] {(float) h}, Shape.of(1, 1)),
            Tensor.of(new long[] {1}, Shape.of(1)),
            Tensor.of(new float[] {(float) c}, Shape.of(1, 1)),
            Tensor.of(new float[] {5, 6, 7}, Shape.of(3)));
    double i = sigmoid(0.1 + h + 5 * c);
    double f = sigmoid(0.3 + 3 * h + 7 * c);
    double cell = f * c + i * Math.tanh(0.4 + 4 * h);
    double o = sigmoid(0.2 + 2 * h + 6 * cell);
    assertThat((double) results.get(2).toFloatArray()[0]).isCloseTo(cell, within(1e-6));
    assertThat((double) results.get(1).toFloatArray()[0])
        .isCloseTo(o * Math.tanh(cell), within(1e-6));
    assertThat(results.get(0).toFloatArray()).isEqualTo(results.get(1).toFloatArray());
  }
}
