package org.relaxvm.interoponnx.operator.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.floats;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;

/** Dropout, losses, optimizers and gated units. */
class TrainingTest {
  private static final String DOMAIN = "ai.onnx.preview.training";
  private static final Tensor X = floats(new float[] {1, 2}, 2);

  @ParameterizedTest
  @CsvSource({"1, float32", "6, float32", "7, float32", "10, bool", "12, bool", "22, bool"})
  void dropoutKeepsAllElements(long version, String mask) {
    List<Tensor> results = NodeRun.of("Dropout", version).input(X, "n").run(2);
    assertThat(results.get(0).toFloatArray()).containsExactly(1, 2);
    assertThat(results.get(1).dtype()).isEqualTo(DType.parse(mask));
    assertThat(results.get(1).toDoubleArray()).containsExactly(1, 1);
  }

  private static Tensor bool(boolean value) {
    return Tensor.of(new boolean[] {value}, Shape.of());
  }

  @Test
  void nothingIsLeftOutWithoutRatioOrTraining() {
    for (float ratio : new float[] {0, 0.5f}) {
      NodeRun constant = NodeRun.of("Dropout", 13).input(X).constant(Tensor.scalar(ratio));
      NodeRun computed = NodeRun.of("Dropout", 13).input(X).input(Tensor.scalar(ratio));
      for (NodeRun run :
          List.of(constant.constant(bool(ratio == 0)), computed.input(bool(ratio == 0)))) {
        List<Tensor> results = run.run(2);
        assertThat(results.get(0).toFloatArray()).containsExactly(1, 2);
        assertThat(results.get(1).toDoubleArray()).containsExactly(1, 1);
      }
    }
  }

  @Test
  void trainingLeavesOutAboutTheRatioAndScalesTheOthers() {
    Tensor ones = Tensor.of(filled(4000), Shape.of(40, 100));
    List<Tensor> results =
        NodeRun.of("Dropout", 13)
            .with("seed", 7)
            .input(ones, "n", 100)
            .input(Tensor.scalar(0.75f))
            .constant(bool(true))
            .run(2);
    double[] mask = results.get(1).toDoubleArray();
    float[] values = results.get(0).toFloatArray();
    int kept = 0;
    for (int i = 0; i < values.length; i++) {
      assertThat(values[i]).isEqualTo(mask[i] == 1 ? 4 : 0);
      kept += (int) mask[i];
    }
    // The standard deviation is 27.
    assertThat(kept).isBetween(850, 1150);
  }

  private static float[] filled(int count) {
    float[] values = new float[count];
    Arrays.fill(values, 1);
    return values;
  }

  @Test
  void ignoredClassesDoNotCount() {
    Tensor predictions = floats(new float[] {-1, -2, -3, -4, -5, -6}, 3, 2);
    Tensor classes = Tensor.of(new long[] {0, -1, 1}, Shape.of(3));
    Tensor weights = floats(new float[] {1, 3}, 2);
    NodeRun run =
        NodeRun.of("NegativeLogLikelihoodLoss", 13)
            .with("ignore_index", -1)
            .input(predictions, "n", 2)
            .input(classes, "m")
            .input(weights);
    assertThat(run.run().toFloatArray()).containsExactly(19 / 4f);
  }

  @Test
  void theSecondOutputOfALossHasTheLogarithms() {
    Tensor scores = floats(new float[] {0, 0, 0, (float) Math.log(3)}, 2, 2);
    Tensor classes = Tensor.of(new int[] {1, 1}, Shape.of(2));
    List<Tensor> results =
        NodeRun.of("SoftmaxCrossEntropyLoss", 12)
            .with("reduction", "none")
            .input(scores)
            .input(classes)
            .run(2);
    float log2 = (float) Math.log(2);
    assertThat(results.get(0).toFloatArray())
        .usingComparatorWithPrecision(1e-5f)
        .containsExactly(log2, (float) Math.log(4 / 3.0));
    assertThat(results.get(1).shape()).isEqualTo(Shape.of(2, 2));
    assertThat(results.get(1).toFloatArray()[0]).isEqualTo(-log2);
  }

  @ParameterizedTest
  @CsvSource({"standard, 0, 2.5, 0.75", "standard, 1, 1.5, 0.85", "nesterov, 1, 1.5, 0.725"})
  void momentumWeighsTheFirstGradientFully(String mode, long count, float velocity, float next) {
    List<Tensor> results =
        NodeRun.of(DOMAIN, "Momentum", 1)
            .with("alpha", 0.5f)
            .with("beta", 0.5f)
            .with("norm_coefficient", 0f)
            .with("mode", mode)
            .input(Tensor.scalar(0.1f))
            .input(Tensor.scalar(count))
            .input(new float[] {1}, 1)
            .input(new float[] {2}, 1)
            .input(new float[] {1}, 1)
            .run(2);
    assertThat(results.get(0).toFloatArray())
        .usingComparatorWithPrecision(1e-6f)
        .containsExactly(next);
    assertThat(results.get(1).toFloatArray()).containsExactly(velocity);
  }

  @Test
  void twoHalvesOfAGatedUnitHaveOneShape() {
    NodeRun run = NodeRun.of("SwiGLU", 28).with("alpha", 0f).input(X, "n").input(X, "m");
    assertThat(run.run().toFloatArray()).containsExactly(0.5f, 2);
    NodeRun wrong = NodeRun.of("SwiGLU", 28).input(X).input(floats(new float[] {1, 2}, 1, 2));
    assertThatThrownBy(wrong::run)
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageContaining("its inputs have 1 and 2 axes; expected one shape");
  }
}
