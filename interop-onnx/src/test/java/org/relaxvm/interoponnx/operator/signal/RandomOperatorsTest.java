package org.relaxvm.interoponnx.operator.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.OnnxModel;
import org.relaxvm.interoponnx.OnnxModels;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Random numbers: ranges, distributions, seeds. */
class RandomOperatorsTest {
  private static OperatorRun uniform(float seed) {
    return OperatorRun.of("RandomUniform", 22)
        .with("shape", List.of(1000))
        .with("low", 2f)
        .with("high", 4f)
        .with("seed", seed);
  }

  @Test
  void aSeedDecidesTheNumbers() {
    double[] first = uniform(1).numbers();
    assertThat(uniform(1).numbers()).isEqualTo(first);
    assertThat(uniform(1.5f).numbers()).isNotEqualTo(first);
    assertThat(Arrays.stream(first).allMatch(x -> x >= 2 && x < 4)).isTrue();
    assertThat(Arrays.stream(first).average().orElseThrow()).isCloseTo(3, within(0.1));
  }

  @Test
  void nodesWithoutSeedsGiveOtherNumbers() {
    OnnxModel model =
        new OnnxModels(22)
            .input("x", DType.FLOAT16, "n")
            .node("RandomNormalLike", List.of("x"), List.of("a"))
            .node("RandomNormalLike", List.of("x"), List.of("b"))
            .output("a", DType.FLOAT16, "n")
            .output("b", DType.FLOAT16, "n")
            .model();
    try (VirtualMachine vm =
            VirtualMachine.builder(model.compile(OnnxOptions.DEFAULT)).device("cpu:0").build();
        Results results =
            vm.function("main").call(Map.of("x", Tensor.zeros(DType.FLOAT16, Shape.of(7))))) {
      assertThat(results.tensor("a").shape()).isEqualTo(Shape.of(7));
      assertThat(results.tensor("a").dtype()).isEqualTo(DType.FLOAT16);
      assertThat(results.tensor("a").toDoubleArray())
          .isNotEqualTo(results.tensor("b").toDoubleArray());
    }
  }

  @Test
  void probabilitiesAreRespected() {
    float[] chances = new float[1000];
    Arrays.fill(chances, 0.25f);
    chances[0] = 1;
    chances[1] = 0;
    Tensor y =
        OperatorRun.of("Bernoulli", 22)
            .input(Tensor.of(chances, Shape.of(1000)))
            .with("dtype", 7)
            .with("seed", 3f)
            .run();
    assertThat(y.dtype()).isEqualTo(DType.INT64);
    long[] drawn = y.toLongArray();
    assertThat(drawn[0]).isEqualTo(1);
    assertThat(drawn[1]).isZero();
    assertThat((double) Arrays.stream(drawn).sum()).isCloseTo(250, within(50.0));
  }

  @Test
  void classesAreDrawnByTheirWeights() {
    float[] logarithms = {
      (float) Math.log(1),
      (float) Math.log(3),
      Float.NEGATIVE_INFINITY,
      0,
      Float.NEGATIVE_INFINITY,
      0
    };
    Tensor y =
        OperatorRun.of("Multinomial", 22)
            .input(Tensor.of(logarithms, Shape.of(2, 3)), "b", 3)
            .with("sample_size", 1000)
            .with("seed", 5f)
            .run();
    assertThat(y.shape()).isEqualTo(Shape.of(2, 1000));
    assertThat(y.dtype()).isEqualTo(DType.INT32);
    long[] drawn = y.toLongArray();
    long[] first = Arrays.copyOf(drawn, 1000);
    assertThat((double) Arrays.stream(first).sum()).isCloseTo(750, within(60.0));
    assertThat(Arrays.stream(first).max().orElseThrow()).isEqualTo(1);
    long[] second = Arrays.copyOfRange(drawn, 1000, 2000);
    assertThat(Arrays.stream(second).distinct().sorted()).containsExactly(0L, 2L);
  }
}
