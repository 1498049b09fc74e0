package org.relaxvm.interoponnx.operator.microsoft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.microsoft;
import static org.relaxvm.interoponnx.operator.OperatorRun.randomTensor;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Single operators of ONNX Runtime, and those that are refused. */
class MiscellaneousTest {
  @Test
  void valuesInTheOrderOfTheirFirstOccurrence() {
    List<Tensor> results =
        microsoft("Unique")
            .input(Tensor.of(new float[] {2, 1, 1, 3, 4, 3}, Shape.of(6)), "n")
            .run(3);
    assertThat(results.get(0).toFloatArray()).containsExactly(2, 1, 3, 4);
    assertThat(results.get(1).toLongArray()).containsExactly(0, 1, 1, 2, 3, 2);
    assertThat(results.get(2).toLongArray()).containsExactly(1, 2, 2, 1);
  }

  @ParameterizedTest
  @CsvSource({"0, '1,2,3'", "-1, '2,3,1'", "1, '2,1,3'"})
  void anAxisIsInserted(int axis, String shape) {
    Tensor y =
        microsoft("ExpandDims")
            .input(randomTensor(1, 2, 3))
            .constant(Tensor.of(new int[] {axis}, Shape.of()))
            .run();
    long[] dims = Stream.of(shape.split(",")).mapToLong(Long::parseLong).toArray();
    assertThat(y.shape()).isEqualTo(Shape.of(dims));
  }

  @Test
  void aMatrixTimesItsInverseIsTheUnitMatrix() {
    double[] x = randomTensor(2, 3, 3).toDoubleArray();
    double[] y = microsoft("Inverse").input(randomTensor(2, 3, 3)).numbers();
    for (int i = 0; i < 9; i++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        sum += x[i / 3 * 3 + k] * y[k * 3 + i % 3];
      }
      assertThat(sum).isCloseTo(i / 3 == i % 3 ? 1 : 0, within(1e-4));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"euclidean", "sqeuclidean"})
  void distancesOfAllPairsOfRows(String metric) {
    double[] a = randomTensor(3, 3, 2).toDoubleArray();
    double[] b = randomTensor(4, 4, 2).toDoubleArray();
    double[] y =
        microsoft("CDist")
            .input(randomTensor(3, 3, 2), "m", 2)
            .input(randomTensor(4, 4, 2), "k", 2)
            .with("metric", metric)
            .numbers();
    for (int i = 0; i < 12; i++) {
      double square =
          Math.pow(a[i / 4 * 2] - b[i % 4 * 2], 2)
              + Math.pow(a[i / 4 * 2 + 1] - b[i % 4 * 2 + 1], 2);
      assertThat(y[i])
          .isCloseTo(metric.equals("euclidean") ? Math.sqrt(square) : square, within(1e-5));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void distancesHaveBuckets(int bidirectional) {
    int buckets = 8;
    float[] table = new float[2 * buckets];
    for (int i = 0; i < table.length; i++) {
      table[i] = i;
    }
    double[] y =
        microsoft("RelativePositionBias")
            .constant(Tensor.of(table, Shape.of(buckets, 2)))
            .input(Tensor.scalar(9L))
            .input(Tensor.scalar(9L))
            .with("max_distance", 8)
            .with("is_bidirectional", bidirectional)
            .numbers();
    assertThat(y).hasSize(2 * 81);
    for (int i = 0; i < y.length; i++) {
      int bucket = bucket(i % 9 - i / 9 % 9, bidirectional == 1, buckets);
      assertThat(y[i]).isEqualTo(i / 81 * buckets + bucket);
    }
  }

  private static int bucket(int distance, boolean both, int buckets) {
    int count = both ? buckets / 2 : buckets;
    int size = both ? Math.abs(distance) : Math.max(-distance, 0);
    int offset = both && distance > 0 ? count : 0;
    int exact = count / 2;
    if (size < exact) {
      return offset + size;
    }
    double logarithm = Math.log((double) size / exact) / Math.log(8.0 / exact);
    return offset + Math.min(count - 1, exact + (int) (logarithm * (count - exact) + 1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "QMoE, experts are not supported",
    "BeamSearch, search loops over a decoder are not supported",
    "PagedAttention, paged caches are not supported",
    "EPContext, it holds a program of one accelerator",
    "PackedMultiHeadAttention, batches without padding are not supported",
    "QOrderedMatMul, layouts of one accelerator are not supported",
    "LongformerAttention, attention of windows and global tokens is not supported"
  })
  void operatorsThatAreNotSupportedSayWhy(String operator, String reason) {
    assertThat(
            microsoft(operator)
                .input(randomTensor(1, 2, 2))
                .model(1)
                .check(OnnxOptions.DEFAULT)
                .message())
        .contains("com.microsoft." + operator + " (1)")
        .contains(reason);
  }
}
