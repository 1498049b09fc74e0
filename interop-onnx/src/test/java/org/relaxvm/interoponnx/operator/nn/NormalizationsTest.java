package org.relaxvm.interoponnx.operator.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.floats;
import static org.relaxvm.interoponnx.operator.nn.NodeRun.halves;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Normalizations as each version has them. */
class NormalizationsTest {
  private static void assertClose(Tensor actual, double... expected) {
    assertThat(actual.toDoubleArray()).usingComparatorWithPrecision(1e-3).containsExactly(expected);
  }

  private static final Tensor X = floats(new float[] {1, 3, -2, 2}, 2, 2);

  // ---------------------------------------------------------------- layers

  @Test
  void statisticsOfLayersKeepTheirAxes() {
    List<Tensor> results =
        NodeRun.of("LayerNormalization", 17)
            .with("epsilon", 0f)
            .input(halves(X), "n", 2)
            .input(halves(floats(new float[] {1, 10}, 2)))
            .run(3);
    assertThat(results.getFirst().dtype()).isEqualTo(DType.FLOAT16);
    assertClose(results.getFirst(), -1, 10, -1, 10);
    assertThat(results.get(1).dtype()).isEqualTo(DType.FLOAT32);
    assertThat(results.get(1).shape()).isEqualTo(Shape.of(2, 1));
    assertClose(results.get(1), 2, 0);
    assertClose(results.get(2), 1, 0.5);
  }

  @Test
  void theScaleOfLayersBroadcasts() {
    Tensor result =
        NodeRun.of("LayerNormalization", 17)
            .with("epsilon", 0f)
            .with("axis", 0)
            .input(floats(new float[] {1, 3, 1, 3}, 2, 2))
            .input(floats(new float[] {2, 5}, 2))
            .input(floats(new float[] {100}, 1))
            .run();
    assertClose(result, 98, 105, 98, 105);
  }

  @Test
  void statisticsMayBeComputedInAWiderDtype() {
    // In float32 the second element is as large as the first one.
    Tensor x = floats(new float[] {1 << 24, (1 << 24) + 2}, 1, 2);
    Tensor result =
        NodeRun.of("LayerNormalization", 17)
            .with("stash_type", 11)
            .with("epsilon", 0f)
            .input(x)
            .input(floats(new float[] {1, 1}, 2))
            .run(2)
            .get(1);
    assertThat(result.dtype()).isEqualTo(DType.FLOAT64);
    assertThat(result.toDoubleArray()).containsExactly((1 << 24) + 1);
  }

  @Test
  void theRootOfSquaresDivides() {
    Tensor x = floats(new float[] {3, 4, 6, 8}, 2, 2);
    double root = Math.sqrt(12.5);
    for (Tensor scale : List.of(floats(new float[] {1, 2}, 2), floats(new float[] {1, 2}, 1, 2))) {
      Tensor result =
          NodeRun.of("RMSNormalization", 23)
              .with("epsilon", 0f)
              .input(x, "n", 2)
              .input(scale)
              .run();
      assertClose(result, 3 / root, 8 / root, 3 / root, 8 / root);
    }
  }

  // ---------------------------------------------------------------- groups

  @Test
  void groupsHaveOneScaleUntilVersion20() {
    Tensor x = floats(new float[] {1, 3, 5, 9}, 1, 4, 1);
    Tensor old =
        NodeRun.of("GroupNormalization", 18)
            .with("num_groups", 2)
            .with("epsilon", 0f)
            .input(x)
            .input(floats(new float[] {1, 10}, 2))
            .input(floats(new float[] {0, 100}, 2))
            .run();
    assertClose(old, -1, 1, 90, 110);
    Tensor now =
        NodeRun.of("GroupNormalization", 21)
            .with("num_groups", 2)
            .with("epsilon", 0f)
            .input(x)
            .input(floats(new float[] {1, 1, 10, 10}, 4))
            .input(floats(new float[] {0, 0, 100, 100}, 4))
            .run();
    assertClose(now, -1, 1, 90, 110);
  }

  // ---------------------------------------------------------------- batches

  private static NodeRun batch(long version, Tensor x, int channels) {
    NodeRun run = NodeRun.of("BatchNormalization", version).with("epsilon", 0f).input(x);
    for (float value : new float[] {2, 1, 10, 4}) {
      float[] values = new float[channels];
      Arrays.fill(values, value);
      run.constant(floats(values, channels));
    }
    return run;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 6, 7, 9, 14, 15})
  void oneOutputMeansGivenStatistics(long version) {
    assertClose(batch(version, X, 2).run(), -8, -6, -11, -7);
  }

  @Test
  void moreOutputsMeanTrainingBeforeVersion14() {
    List<Tensor> results = batch(9, X, 2).with("momentum", 0.75f).run(5);
    double root = 0.5 / Math.sqrt(0.25);
    assertClose(results.get(0), 1 + 2 * root, 1 + 2 * root, 1 - 2 * root, 1 - 2 * root);
    assertClose(results.get(1), 7.5 - 0.125, 7.5 + 0.625);
    assertClose(results.get(2), 3 + 0.25 * 2.25, 3 + 0.25 * 0.25);
    assertClose(results.get(3), -0.5, 2.5);
    assertClose(results.get(4), 2.25, 0.25);
    assertClose(batch(6, X, 2).with("is_test", 1).run(5).getFirst(), -8, -6, -11, -7);
  }

  @Test
  void trainingModeGivesNewStatistics() {
    List<Tensor> results = batch(15, X, 2).with("training_mode", 1).run(3);
    assertClose(results.get(1), 9 - 0.05, 9 + 0.25);
    assertClose(results.get(2), 3.6 + 0.225, 3.6 + 0.025);
  }

  @Test
  void statisticsMayBeOfEachElement() {
    Tensor x = floats(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2);
    NodeRun run =
        NodeRun.of("BatchNormalization", 7).with("spatial", 0).with("epsilon", 0f).input(x);
    run.input(floats(new float[] {1, 2, 3, 4}, 2, 2));
    run.input(floats(new float[] {0, 0, 0, 100}, 2, 2));
    run.input(floats(new float[] {1, 1, 1, 1}, 2, 2));
    run.input(floats(new float[] {1, 1, 1, 4}, 2, 2));
    assertClose(run.run(), 0, 2, 6, 106, 4, 10, 18, 114);
  }

  @Test
  void halvesAreNormalizedWithStatisticsInFloat32() {
    NodeRun run =
        NodeRun.of("BatchNormalization", 15)
            .with("epsilon", 0f)
            .input(halves(X))
            .constant(halves(floats(new float[] {2, 2}, 2)))
            .constant(halves(floats(new float[] {1, 1}, 2)))
            .constant(floats(new float[] {10, 10}, 2))
            .constant(floats(new float[] {4, 4}, 2));
    Tensor result = run.run();
    assertThat(result.dtype()).isEqualTo(DType.FLOAT16);
    assertClose(result, -8, -6, -11, -7);
  }

  @Test
  void aVectorIsABatchOfOneChannel() {
    Tensor result = batch(15, floats(new float[] {1, 3}, 2), 1).run();
    assertThat(result.shape()).isEqualTo(Shape.of(2));
    assertClose(result, -8, -6);
  }

  // ---------------------------------------------------------------- others

  @Test
  void neighboursOfAnEvenNumberLieAfterAChannel() {
    Tensor x = floats(new float[] {1, 2, 3}, 1, 3);
    NodeRun run =
        NodeRun.of("LRN", 13).with("size", 2).with("alpha", 2f).with("beta", 1f).with("bias", 0f);
    // Channel c is divided by the squares of c and c + 1.
    assertClose(run.input(x, 1, "c").run(), 1 / 5.0, 2 / 13.0, 3 / 9.0);
  }

  @Test
  void aNormOfZeroGivesZero() {
    Tensor x = floats(new float[] {3, -4, 0, 0}, 2, 2);
    assertClose(NodeRun.of("LpNormalization", 22).input(x).run(), 0.6, -0.8, 0, 0);
    assertClose(
        NodeRun.of("LpNormalization", 1).with("p", 1).with("axis", 0).input(x).run(), 1, -1, 0, 0);
  }

  @Test
  void meansAndVariancesAreTakenOfItemsAndPositions() {
    Tensor x = floats(new float[] {1, 10, 3, 30}, 2, 2, 1, 1);
    assertClose(NodeRun.of("MeanVarianceNormalization", 13).input(x).run(), -1, -1, 1, 1);
    Tensor last =
        NodeRun.of("MeanVarianceNormalization", 9).with("axes", List.of(-1)).input(X, "n", 2).run();
    assertClose(last, -1, 1, -1, 1);
    assertThat(last.toFloatArray()[0]).isCloseTo(-1, within(1e-6f));
  }

  @Test
  void channelsAreNormalizedOneByOne() {
    Tensor x = floats(new float[] {1, 3, 10, 30}, 1, 2, 2);
    Tensor result =
        NodeRun.of("InstanceNormalization", 1)
            .with("epsilon", 0f)
            .input(x, "n", "c", "w")
            .input(floats(new float[] {1, 2}, 2))
            .input(floats(new float[] {0, 5}, 2))
            .run();
    assertClose(result, -1, 1, 3, 7);
  }
}
