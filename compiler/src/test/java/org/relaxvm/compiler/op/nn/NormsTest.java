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
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;

class NormsTest {
  private static final RelaxVar X = floats("x", 2, 4, 3);
  private static final RelaxVar C = floats("c", 4);
  private static final RelaxVar LAST = floats("w", 3);

  private static Call batch(RelaxVar x, RelaxVar c) {
    return Norms.batchNorm(x, c, c, c, c, 1e-5);
  }

  @Test
  void batchNormGivesTheTensorAndTheStatistics() {
    assertThat(textOf(batch(X, C)))
        .isEqualTo(
            "R.Tuple(R.Tensor((2, 4, 3), dtype=\"float32\"), R.Tensor((4,), dtype=\"float32\"),"
                + " R.Tensor((4,), dtype=\"float32\"))");
    assertThat(textOf(batch(unknown("x"), unknown("c"))))
        .isEqualTo("R.Tuple(R.Tensor, R.Tensor, R.Tensor)");
  }

  @Test
  void otherNormsGiveWhatTheyGet() {
    String type = "R.Tensor((2, 4, 3), dtype=\"float32\")";
    assertThat(textOf(Norms.layerNorm(X, LAST, LAST, List.of(-1), 1e-5))).isEqualTo(type);
    assertThat(textOf(Norms.rmsNorm(X, floats("w", 4, 3), List.of(1, 2), 1e-5))).isEqualTo(type);
    assertThat(textOf(Norms.groupNorm(X, C, C, 2, 1, List.of(2), 1e-5))).isEqualTo(type);
    assertThat(textOf(Norms.instanceNorm(X, C, C, 1, List.of(2), 1e-5))).isEqualTo(type);
    assertThat(textOf(Norms.rmsNorm(unknown("x"), unknown("w"), List.of(-1), 1e-5)))
        .isEqualTo("R.Tensor");
    assertThat(
            textOf(
                Norms.layerNorm(
                    ofRank("x", DType.FLOAT16, 3), unknown("w"), unknown("w"), List.of(2), 1e-5)))
        .isEqualTo("R.Tensor(ndim=3)");
    assertThat(textOf(Norms.rmsNorm(floats("x", symbol("n"), 3), LAST, List.of(-1), 1e-5)))
        .isEqualTo("R.Tensor((n, 3), dtype=\"float32\")");
  }

  @Test
  void writesAllAttributes() {
    assertThat(batch(X, C))
        .hasToString(
            "R.nn.batch_norm(x, c, c, c, c, axis=1, epsilon=1.0E-5, center=true, scale=true,"
                + " momentum=0.1, training=false)");
    assertThat(Norms.batchNormTraining(X, C, C, C, C, 0.1, 0.2).attrs().bool("training"))
        .contains(true);
    assertThat(Norms.groupNorm(X, C, C, 2, 1, List.of(2), 0.5))
        .hasToString(
            "R.nn.group_norm(x, c, c, num_groups=2, channel_axis=1, axes=[2], epsilon=0.5,"
                + " center=true, scale=true)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            batch(tensor("x", DType.INT32, 2, 4), C),
            "nn.batch_norm: the argument data must be a tensor of floats, but is"
                + " R.Tensor((2, 4), dtype=\"int32\")"),
        Arguments.of(
            batch(X, tensor("c", DType.FLOAT16, 4)),
            "nn.batch_norm: expected one dtype, but data is float32 and gamma is float16; use"
                + " astype"),
        Arguments.of(
            Norms.layerNorm(X, tensor("w", DType.INT8, 3), LAST, List.of(-1), 1e-5),
            "nn.layer_norm: the argument gamma must be a tensor of floats, but is"
                + " R.Tensor((3,), dtype=\"int8\")"),
        Arguments.of(
            batch(X, floats("c", 5)),
            "nn.batch_norm: the extents of axis 1 of data and gamma must be equal, but are 4 and"
                + " 5"),
        Arguments.of(
            Norms.layerNorm(X, LAST, floats("b", 4, 3), List.of(-1), 1e-5),
            "nn.layer_norm: the argument beta must be a tensor with 1 axis, but is"
                + " R.Tensor((4, 3), dtype=\"float32\")"),
        Arguments.of(
            Norms.layerNorm(X, LAST, LAST, List.of(3), 1e-5),
            "nn.layer_norm: there is no axis 3 of 3 axes; expected one from -3 to 2"),
        Arguments.of(
            Norms.rmsNorm(X, floats("w", 3, 3), List.of(-1, 2), 1e-5),
            "nn.rms_norm: the axis 2 is given twice in [-1, 2]"),
        Arguments.of(
            Norms.groupNorm(X, C, C, 3, 1, List.of(2), 1e-5),
            "nn.group_norm: the 4 channels cannot be divided into 3 groups"),
        Arguments.of(
            Norms.groupNorm(X, C, C, 0, 1, List.of(2), 1e-5),
            "nn.group_norm: num_groups must be from 1 to 2147483647, but is 0"),
        Arguments.of(
            Norms.instanceNorm(X, C, C, 1, List.of(-1, 1), 1e-5),
            "nn.instance_norm: axes must not have the axis 1 of channels, but are [-1, 1]"),
        Arguments.of(
            Call.of(Norms.LAYER_NORM, X, LAST, LAST),
            "nn.layer_norm: the attribute axes must be given: a list of integers"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  private static final RelaxVar SMALL = floats("x", 2, 2);
  private static final Tensor DATA = Tensor.of(new float[] {1, 2, 5, 8}, Shape.of(2, 2));

  private static Tensor pair(float a, float b) {
    return Tensor.of(new float[] {a, b}, Shape.of(2));
  }

  @Test
  void batchNormComputesTheFormulaAndKeepsTheStatistics() {
    RelaxVar gamma = floats("gamma", 2);
    RelaxVar beta = floats("beta", 2);
    RelaxVar mean = floats("mean", 2);
    RelaxVar variance = floats("var", 2);
    Call call = Norms.batchNorm(SMALL, gamma, beta, mean, variance, 0);
    List<Tensor> results = compute(call, DATA, pair(1, 2), pair(10, 20), pair(1, 2), pair(4, 9));
    assertThat(results.get(0).toFloatArray()).containsExactly(10, 20, 12, 24);
    assertThat(results.get(1).toFloatArray()).containsExactly(1, 2);
    assertThat(results.get(2).toFloatArray()).containsExactly(4, 9);
    Call plain =
        Call.of(
            Norms.BATCH_NORM, call.args(), call.attrs().with("center", false).with("scale", false));
    assertThat(
            compute(plain, DATA, pair(1, 2), pair(10, 20), pair(1, 2), pair(4, 9))
                .getFirst()
                .toFloatArray())
        .containsExactly(0, 0, 2, 2);
  }

  @Test
  void batchNormLearnsStatistics() {
    RelaxVar gamma = floats("gamma", 2);
    RelaxVar beta = floats("beta", 2);
    RelaxVar mean = floats("mean", 2);
    RelaxVar variance = floats("var", 2);
    Call call = Norms.batchNormTraining(SMALL, gamma, beta, mean, variance, 0, 0.5);
    List<Tensor> results = compute(call, DATA, pair(1, 1), pair(0, 0), pair(1, 1), pair(2, 3));
    assertThat(results.get(0).toFloatArray()).containsExactly(-1, -1, 1, 1);
    assertThat(results.get(1).toFloatArray()).containsExactly(2, 3);
    assertThat(results.get(2).toFloatArray()).containsExactly(3, 6);
  }

  @Test
  void othersComputeTheirFormulas() {
    RelaxVar gamma = floats("gamma", 2);
    RelaxVar beta = floats("beta", 2);
    Tensor two = pair(2, 2);
    Tensor one = pair(1, 1);
    assertThat(
            compute(Norms.layerNorm(SMALL, gamma, beta, List.of(0), 0), DATA, two, one)
                .getFirst()
                .toFloatArray())
        .containsExactly(-1, -1, 3, 3);
    assertThat(
            compute(Norms.instanceNorm(SMALL, gamma, beta, 1, List.of(0), 0), DATA, two, one)
                .getFirst()
                .toFloatArray())
        .containsExactly(-1, -1, 3, 3);
    assertThat(
            compute(Norms.groupNorm(SMALL, gamma, beta, 1, 1, List.of(), 0), DATA, two, one)
                .getFirst()
                .toFloatArray())
        .containsExactly(-1, 3, -1, 3);
    Tensor same = Tensor.of(new float[] {3, -3, 4, 4}, Shape.of(2, 2));
    assertThat(
            compute(Norms.rmsNorm(SMALL, gamma, List.of(-1), 0), same, two)
                .getFirst()
                .toFloatArray())
        .containsExactly(2, -2, 2, 2);
  }
}
