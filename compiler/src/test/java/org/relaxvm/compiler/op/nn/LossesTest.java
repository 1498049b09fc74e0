package org.relaxvm.compiler.op.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.ofRank;
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
import org.relaxvm.tir.op.SoftmaxOps;

class LossesTest {
  private static final RelaxVar X = floats("x", 2, 3);
  private static final RelaxVar T = tensor("t", DType.INT64, 2);
  private static final Optional<RelaxVar> NONE = Optional.empty();

  private static Call nll(RelaxVar x, RelaxVar t, SoftmaxOps.Reduction reduction) {
    return Losses.nllLoss(x, t, NONE, reduction, -100);
  }

  @Test
  void derivesTheShape() {
    String scalar = "R.Tensor((), dtype=\"float32\")";
    assertThat(textOf(Losses.crossEntropyWithLogits(X, X))).isEqualTo(scalar);
    assertThat(textOf(Losses.crossEntropyWithLogits(unknown("x"), X))).isEqualTo("R.Tensor(())");
    assertThat(textOf(nll(X, T, SoftmaxOps.Reduction.MEAN))).isEqualTo(scalar);
    assertThat(textOf(nll(X, T, SoftmaxOps.Reduction.SUM))).isEqualTo(scalar);
    assertThat(textOf(nll(X, T, SoftmaxOps.Reduction.NONE)))
        .isEqualTo("R.Tensor((2,), dtype=\"float32\")");
    assertThat(textOf(nll(floats("x", 3), tensor("t", DType.INT32), SoftmaxOps.Reduction.NONE)))
        .isEqualTo(scalar);
    assertThat(textOf(nll(floats("x", 2, 3, 4), unknown("t"), SoftmaxOps.Reduction.NONE)))
        .isEqualTo("R.Tensor((2, 4), dtype=\"float32\")");
    assertThat(textOf(nll(ofRank("x", DType.FLOAT32, 3), unknown("t"), SoftmaxOps.Reduction.NONE)))
        .isEqualTo("R.Tensor(dtype=\"float32\", ndim=2)");
    assertThat(textOf(nll(unknown("x"), unknown("t"), SoftmaxOps.Reduction.NONE)))
        .isEqualTo("R.Tensor");
    assertThat(Losses.nllLoss(X, T, Optional.of(floats("w", 3)), SoftmaxOps.Reduction.SUM, 1))
        .hasToString("R.nn.nll_loss(x, t, w, reduction=sum, ignore_index=1)");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Losses.crossEntropyWithLogits(X, floats("y", 2, 4)),
            "nn.cross_entropy_with_logits: the extents of axis 1 of predictions and axis 1 of"
                + " labels must be equal, but are 3 and 4"),
        Arguments.of(
            Losses.crossEntropyWithLogits(X, floats("y", 3)),
            "nn.cross_entropy_with_logits: expected one number of axes, but predictions is"
                + " R.Tensor((2, 3), dtype=\"float32\") and labels is"
                + " R.Tensor((3,), dtype=\"float32\")"),
        Arguments.of(
            Losses.crossEntropyWithLogits(floats("x"), floats("y")),
            "nn.cross_entropy_with_logits: the argument predictions must be a tensor with 1 axis"
                + " or more, but is R.Tensor((), dtype=\"float32\")"),
        Arguments.of(
            nll(X, floats("t", 2), SoftmaxOps.Reduction.MEAN),
            "nn.nll_loss: the argument targets must be a tensor of integers, but is"
                + " R.Tensor((2,), dtype=\"float32\")"),
        Arguments.of(
            nll(X, tensor("t", DType.INT64, 2, 1), SoftmaxOps.Reduction.MEAN),
            "nn.nll_loss: the argument targets must be a tensor with 1 axis, but is"
                + " R.Tensor((2, 1), dtype=\"int64\")"),
        Arguments.of(
            nll(floats("x", 2, 3, 5), tensor("t", DType.INT64, 2, 4), SoftmaxOps.Reduction.MEAN),
            "nn.nll_loss: the extents of axis 2 of predictions and axis 1 of targets must be"
                + " equal, but are 5 and 4"),
        Arguments.of(
            Losses.nllLoss(X, T, Optional.of(floats("w", 2)), SoftmaxOps.Reduction.SUM, 1),
            "nn.nll_loss: the extents of axis 1 of predictions and axis 0 of weights must be"
                + " equal, but are 3 and 2"),
        Arguments.of(
            Call.of(Losses.NLL_LOSS, List.of(X, T), Attrs.of("reduction", "max")),
            "nn.nll_loss: reduction must be \"none\", \"sum\" or \"mean\", but is \"max\""));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void computesLosses() {
    Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    Tensor labels = Tensor.of(new float[] {0, 0, 1, 1, 0, 0}, Shape.of(2, 3));
    assertThat(
            compute(Losses.crossEntropyWithLogits(X, floats("y", 2, 3)), x, labels)
                .getFirst()
                .toFloatArray())
        .containsExactly(-3.5f);
    Tensor targets = Tensor.of(new long[] {2, 0}, Shape.of(2));
    Tensor weights = Tensor.of(new float[] {2, 1, 1}, Shape.of(3));
    Call weighted =
        Losses.nllLoss(X, T, Optional.of(floats("w", 3)), SoftmaxOps.Reduction.NONE, -100);
    assertThat(compute(weighted, x, targets, weights).getFirst().toFloatArray())
        .containsExactly(-3, -8);
    Call ignoring = Losses.nllLoss(X, T, NONE, SoftmaxOps.Reduction.SUM, 0);
    assertThat(compute(ignoring, x, targets).getFirst().toFloatArray()).containsExactly(-3);
  }
}
