package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;
import static org.relaxvm.compiler.op.OpCalls.unknown;

import java.util.List;
import java.util.Optional;
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
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorType;

class AxisActivationsTest {
  private static final RelaxVar X = floats("x", 2, 3);

  @Test
  void givesWhatItGets() {
    String type = "R.Tensor((2, 3), dtype=\"float32\")";
    assertThat(textOf(AxisActivations.softmax(X, 0))).isEqualTo(type);
    assertThat(textOf(AxisActivations.logSoftmax(X, -1))).isEqualTo(type);
    assertThat(textOf(AxisActivations.prelu(X, floats("a", 3), 1))).isEqualTo(type);
    assertThat(textOf(AxisActivations.prelu(X, floats("a", 1), 1))).isEqualTo(type);
    assertThat(textOf(Dropout.dropout(X, 0.5))).isEqualTo("R.Tuple(" + type + ", " + type + ")");
    assertThat(textOf(AxisActivations.softmax(unknown("x"), 7))).isEqualTo("R.Tensor");
    assertThat(textOf(AxisActivations.prelu(unknown("x"), floats("a", 3), 7)))
        .isEqualTo("R.Tensor");
  }

  @Test
  void keepsTheVariableOfTheShape() {
    RelaxVar shape = new RelaxVar("s", ShapeType.ofRank(2));
    RelaxVar x = new RelaxVar("x", TensorType.of(Optional.of(DType.FLOAT32), shape));
    assertThat(textOf(AxisActivations.softmax(x, -1))).isEqualTo("R.Tensor(s, dtype=\"float32\")");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            AxisActivations.softmax(tensor("x", DType.INT32, 2), 0),
            "nn.softmax: the argument data must be a tensor of floats, but is"
                + " R.Tensor((2,), dtype=\"int32\")"),
        Arguments.of(
            AxisActivations.logSoftmax(X, 2),
            "nn.log_softmax: there is no axis 2 of 2 axes; expected one from -2 to 1"),
        Arguments.of(
            AxisActivations.prelu(X, floats("a", 2), 1),
            "nn.prelu: the extents of axis 1 of data and alpha must be equal, but are 3 and 2"),
        Arguments.of(
            AxisActivations.prelu(X, floats("a", 1, 3), 1),
            "nn.prelu: the argument alpha must be a tensor with 1 axis, but is"
                + " R.Tensor((1, 3), dtype=\"float32\")"),
        Arguments.of(
            AxisActivations.prelu(X, tensor("a", DType.FLOAT16, 3), 1),
            "nn.prelu: expected one dtype, but data is float32 and alpha is float16; use astype"),
        Arguments.of(
            Dropout.dropout(tensor("x", DType.INT8, 2), 0.5),
            "nn.dropout: the argument data must be a tensor of floats, but is"
                + " R.Tensor((2,), dtype=\"int8\")"),
        Arguments.of(
            Call.of(AxisActivations.SOFTMAX, ShapeExpr.of(1, 2)),
            "nn.softmax: the argument data must be a tensor, but is R.Shape([1, 2])"),
        Arguments.of(
            Call.of(AxisActivations.SOFTMAX, X, X),
            "nn.softmax takes 1 argument (data), but got 2"),
        Arguments.of(
            Call.of(AxisActivations.SOFTMAX, List.of(X), Attrs.of("dim", 0)),
            "nn.softmax has no attribute dim; it has axis"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final Tensor DATA =
      Tensor.of(new float[] {-1, 2, -3, 1000, 1000, -5}, Shape.of(2, 3));

  @Test
  void computesTheSoftmaxOfLargeValuesAlongAnAxis() {
    Tensor pairs = Tensor.of(new float[] {1000, 1, 2, 1000, 1, 2}, Shape.of(2, 3));
    assertThat(compute(AxisActivations.softmax(X, 0), pairs).getFirst().toFloatArray())
        .containsExactly(0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f);
    assertThat(compute(AxisActivations.logSoftmax(X, -1), DATA).getFirst().toFloatArray()[3])
        .isCloseTo((float) Math.log(0.5), org.assertj.core.api.Assertions.within(1e-6f));
  }

  @Test
  void softmaxOfOnlyNegativeInfinityIsNaN() {
    float low = Float.NEGATIVE_INFINITY;
    Tensor lows = Tensor.of(new float[] {low, low, low, 0, 0, low}, Shape.of(2, 3));
    assertThat(compute(AxisActivations.softmax(X, 1), lows).getFirst().toFloatArray())
        .containsExactly(Float.NaN, Float.NaN, Float.NaN, 0.5f, 0.5f, 0);
  }

  @Test
  void computesSlopesPerChannel() {
    Tensor alpha = Tensor.of(new float[] {2, 3, 4}, Shape.of(3));
    assertThat(
            compute(AxisActivations.prelu(X, floats("a", 3), 1), DATA, alpha)
                .getFirst()
                .toFloatArray())
        .containsExactly(-2, 2, -12, 1000, 1000, -20);
  }

  @Test
  void dropoutKeepsAllElements() {
    List<Tensor> results = compute(Dropout.dropout(X, 0.9), DATA);
    assertThat(results.get(0)).isSameAs(DATA);
    assertThat(results.get(1).toFloatArray()).containsExactly(1, 1, 1, 1, 1, 1);
  }
}
