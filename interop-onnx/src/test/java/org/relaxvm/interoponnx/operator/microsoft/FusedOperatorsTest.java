package org.relaxvm.interoponnx.operator.microsoft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.microsoft;
import static org.relaxvm.interoponnx.operator.OperatorRun.random;
import static org.relaxvm.interoponnx.operator.OperatorRun.randomTensor;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Products, activations and norms of ONNX Runtime beside plain loops. */
class FusedOperatorsTest {
  /** The error function by its series. */
  private static double erf(double x) {
    double sum = x;
    double term = x;
    for (int n = 1; n < 60; n++) {
      term *= -x * x / n;
      sum += term / (2 * n + 1);
    }
    return 2 / Math.sqrt(Math.PI) * sum;
  }

  private static double gelu(double x) {
    return x / 2 * (1 + erf(x / Math.sqrt(2)));
  }

  private static double geluTanh(double x) {
    return x / 2 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }

  private static void assertClose(double[] actual, double[] expected) {
    assertThat(actual).containsExactly(expected, within(1e-5));
  }

  // ---------------------------------------------------------------- products

  @ParameterizedTest
  @CsvSource({"0, 0, 0, 0", "1, 0, 0, 0", "0, 1, 0, 0", "0, 0, 1, 0", "1, 1, 1, 1", "1, 0, 1, 1"})
  void operandsOfProductsAreTransposed(int transA, int transB, int batchA, int batchB) {
    int[] a = {2, 3, 4};
    int[] b = {2, 4, 5};
    Tensor left = given(1, a, transA == 1, batchA == 1);
    Tensor right = given(2, b, transB == 1, batchB == 1);
    Tensor y =
        microsoft("FusedMatMul")
            .input(left)
            .input(right)
            .with("transA", transA)
            .with("transB", transB)
            .with("transBatchA", batchA)
            .with("transBatchB", batchB)
            .with("alpha", 0.5f)
            .run();
    float[] x = random(1, 24);
    float[] w = random(2, 40);
    double[] expected = new double[2 * 3 * 5];
    for (int i = 0; i < expected.length; i++) {
      for (int k = 0; k < 4; k++) {
        expected[i] += 0.5 * x[i / 5 * 4 + k] * w[(i / 15 * 4 + k) * 5 + i % 5];
      }
    }
    assertThat(y.shape()).isEqualTo(Shape.of(2, 3, 5));
    assertClose(y.toDoubleArray(), expected);
  }

  /** The elements of a tensor of three axes as an operand that is transposed back. */
  private static Tensor given(int seed, int[] dims, boolean isTransposed, boolean isBatchMoved) {
    float[] values = random(seed, dims[0] * dims[1] * dims[2]);
    int[] order = isTransposed ? new int[] {0, 2, 1} : new int[] {0, 1, 2};
    if (isBatchMoved) {
      order = new int[] {order[1], order[0], order[2]};
    }
    long[] shape = {dims[order[0]], dims[order[1]], dims[order[2]]};
    float[] moved = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      int[] at = {i / (dims[1] * dims[2]), i / dims[2] % dims[1], i % dims[2]};
      int to = (int) ((at[order[0]] * shape[1] + at[order[1]]) * shape[2] + at[order[2]]);
      moved[to] = values[i];
    }
    return Tensor.of(moved, Shape.of(shape));
  }

  @ParameterizedTest
  @CsvSource({"'', 0, 0", "Relu, 0, 0", "LeakyRelu, 0.25, 0", "HardSigmoid, 0.25, 0.5"})
  void anActivationFollowsAProduct(String activation, float alpha, float beta) {
    OperatorRun run =
        microsoft("FusedGemm")
            .input(randomTensor(1, 2, 3))
            .input(randomTensor(2, 3, 2))
            .input(randomTensor(3, 2))
            .with("activation", activation)
            .with("beta", 2f);
    if (alpha != 0) {
      run.with("activation_alpha", alpha);
    }
    if (beta != 0) {
      run.with("activation_beta", beta);
    }
    float[] a = random(1, 6);
    float[] b = random(2, 6);
    float[] c = random(3, 2);
    double[] expected = new double[4];
    for (int i = 0; i < 4; i++) {
      double sum = 2 * c[i % 2];
      for (int k = 0; k < 3; k++) {
        sum += a[i / 2 * 3 + k] * b[k * 2 + i % 2];
      }
      expected[i] =
          switch (activation) {
            case "Relu" -> Math.max(sum, 0);
            case "LeakyRelu" -> sum < 0 ? alpha * sum : sum;
            case "HardSigmoid" -> Math.clamp(alpha * sum + beta, 0, 1);
            default -> sum;
          };
    }
    assertClose(run.numbers(), expected);
  }

  /** A convolution, what is added, and limits, with the channels second or last. */
  @ParameterizedTest
  @CsvSource({"FusedConv", "NhwcFusedConv"})
  void convolutionsAddAndLimit(String operator) {
    boolean isLast = operator.startsWith("Nhwc");
    float[] x = random(1, 3 * 3 * 2);
    float[] w = random(2, 2 * 2 * 2 * 2);
    float[] bias = random(3, 2);
    float[] z = random(4, 2 * 2 * 2);
    double[] expected = new double[8];
    for (int i = 0; i < 8; i++) {
      int m = isLast ? i % 2 : i / 4;
      int place = isLast ? i / 2 : i % 4;
      double sum = bias[m] + z[i];
      for (int k = 0; k < 8; k++) {
        int c = k / 4;
        int row = place / 2 + k / 2 % 2;
        int column = place % 2 + k % 2;
        sum += x[isLast ? (row * 3 + column) * 2 + c : (c * 3 + row) * 3 + column] * w[m * 8 + k];
      }
      expected[i] = Math.clamp(sum, -0.5, 0.25);
    }
    Tensor data = Tensor.of(x, isLast ? Shape.of(1, 3, 3, 2) : Shape.of(1, 2, 3, 3));
    Tensor added = Tensor.of(z, Shape.of(1, 2, 2, 2));
    assertClose(
        microsoft(operator)
            .input(data)
            .constant(Tensor.of(w, Shape.of(2, 2, 2, 2)))
            .constant(Tensor.of(bias, Shape.of(2)))
            .input(added)
            .with("activation", "Clip")
            .with("activation_params", List.of(-0.5f, 0.25f))
            .numbers(),
        expected);
  }

  @Test
  void anUnknownActivationIsReported() {
    assertThat(
            microsoft("FusedGemm")
                .input(randomTensor(1, 2, 3))
                .input(randomTensor(2, 3, 2))
                .with("activation", "Sine")
                .model(1)
                .check(OnnxOptions.DEFAULT)
                .message())
        .contains("the activation 'Sine' is not supported; there are Relu, Tanh, Sigmoid");
  }

  // ---------------------------------------------------------------- activations

  private static double[] each(double[] x, DoubleUnaryOperator function) {
    return Arrays.stream(x).map(function).toArray();
  }

  @Test
  void activationsWithBiases() {
    Tensor x = randomTensor(1, 3, 4);
    Tensor bias = randomTensor(2, 4);
    double[] numbers = x.toDoubleArray();
    double[] sums = numbers.clone();
    for (int i = 0; i < sums.length; i++) {
      sums[i] += bias.toDoubleArray()[i % 4];
    }
    assertClose(microsoft("Gelu").input(x).numbers(), each(numbers, FusedOperatorsTest::gelu));
    assertClose(
        microsoft("BiasGelu").input(x).input(bias).numbers(), each(sums, FusedOperatorsTest::gelu));
    assertClose(
        microsoft("FastGelu").input(x).input(bias).numbers(),
        each(sums, FusedOperatorsTest::geluTanh));
    assertClose(
        microsoft("QuickGelu").input(x).numbers(),
        each(numbers, v -> v / (1 + Math.exp(-1.702f * v))));
    double[] split = new double[6];
    for (int i = 0; i < 6; i++) {
      split[i] = sums[i / 2 * 4 + i % 2] * gelu(sums[i / 2 * 4 + 2 + i % 2]);
    }
    assertClose(microsoft("BiasSplitGelu").input(x, "rows", 4).input(bias).numbers(), split);
    double[] doubled = sums.clone();
    for (int i = 0; i < sums.length; i++) {
      doubled[i] += numbers[i];
    }
    assertClose(microsoft("BiasAdd").input(x).input(bias).input(x).numbers(), doubled);
  }

  @Test
  void aSoftmaxOverSeveralAxes() {
    Tensor x = randomTensor(1, 2, 3, 2);
    Tensor bias = randomTensor(2, 1, 3, 2);
    double[] y =
        microsoft("BiasSoftmax")
            .input(x)
            .input(bias)
            .with("axis", 1)
            .with("is_inner_broadcast", 0)
            .numbers();
    double[] expected = x.toDoubleArray();
    for (int row = 0; row < 2; row++) {
      double sum = 0;
      for (int i = 0; i < 6; i++) {
        expected[row * 6 + i] = Math.exp(expected[row * 6 + i] + bias.toDoubleArray()[i]);
        sum += expected[row * 6 + i];
      }
      for (int i = 0; i < 6; i++) {
        expected[row * 6 + i] /= sum;
      }
    }
    assertClose(y, expected);
  }

  // ---------------------------------------------------------------- norms

  private static double[] normal(
      double[] x, int width, double epsilon, boolean centred, DoubleUnaryOperator scale) {
    double[] result = x.clone();
    for (int row = 0; row < x.length / width; row++) {
      double mean = 0;
      double square = 0;
      for (int i = 0; i < width; i++) {
        mean += centred ? x[row * width + i] / width : 0;
      }
      for (int i = 0; i < width; i++) {
        square += Math.pow(x[row * width + i] - mean, 2) / width;
      }
      for (int i = 0; i < width; i++) {
        result[row * width + i] =
            (x[row * width + i] - mean) / Math.sqrt(square + epsilon) * scale.applyAsDouble(i);
      }
    }
    return result;
  }

  @Test
  void normsOfSums() {
    Tensor x = randomTensor(1, 2, 3, 4);
    Tensor skip = randomTensor(2, 3, 4);
    Tensor gamma = randomTensor(3, 4);
    Tensor beta = randomTensor(4, 4);
    Tensor bias = randomTensor(5, 4);
    double[] sums = x.toDoubleArray();
    for (int i = 0; i < sums.length; i++) {
      sums[i] += skip.toDoubleArray()[i % 12] + bias.toDoubleArray()[i % 4];
    }
    List<Tensor> results =
        microsoft("SkipLayerNormalization")
            .input(x, "b", 3, 4)
            .input(skip)
            .input(gamma)
            .input(beta)
            .input(bias)
            .with("epsilon", 1e-5f)
            .run(4);
    double[] expected = normal(sums, 4, 1e-5, true, i -> gamma.toDoubleArray()[(int) i]);
    for (int i = 0; i < expected.length; i++) {
      expected[i] += beta.toDoubleArray()[i % 4];
    }
    assertClose(results.get(0).toDoubleArray(), expected);
    assertThat(results.get(1).shape()).isEqualTo(Shape.of(2, 3, 1));
    assertClose(results.get(3).toDoubleArray(), sums);
    assertClose(
        microsoft("SkipSimplifiedLayerNormalization")
            .input(x)
            .input(skip)
            .input(gamma)
            .input(bias)
            .with("epsilon", 1e-5f)
            .numbers(),
        normal(sums, 4, 1e-5, false, i -> gamma.toDoubleArray()[(int) i]));
    assertClose(
        OperatorRun.of("SimplifiedLayerNormalization", 21).input(x).input(gamma).numbers(),
        normal(x.toDoubleArray(), 4, 1e-5, false, i -> gamma.toDoubleArray()[(int) i]));
  }

  @Test
  void embeddingsAreSummedAndNormalised() {
    Tensor words = randomTensor(1, 5, 2);
    Tensor positions = randomTensor(2, 4, 2);
    Tensor segments = randomTensor(3, 2, 2);
    Tensor ones = Tensor.of(new float[] {1, 1}, Shape.of(2));
    Tensor zeros = Tensor.of(new float[] {0, 0}, Shape.of(2));
    int[] ids = {4, 0, 2, 1, 3, 3};
    int[] kinds = {0, 1, 1, 0, 0, 1};
    List<Tensor> results =
        microsoft("EmbedLayerNormalization")
            .input(Tensor.of(ids, Shape.of(2, 3)), "b", "s")
            .input(Tensor.of(kinds, Shape.of(2, 3)), "b", "s")
            .constant(words)
            .constant(positions)
            .constant(segments)
            .constant(ones)
            .constant(zeros)
            .input(Tensor.of(new int[] {1, 1, 0, 1, 1, 1}, Shape.of(2, 3)), "b", "s")
            .with("epsilon", 1e-5f)
            .run(3);
    double[] sums = new double[12];
    for (int i = 0; i < 12; i++) {
      sums[i] =
          words.toDoubleArray()[ids[i / 2] * 2 + i % 2]
              + positions.toDoubleArray()[i / 2 % 3 * 2 + i % 2]
              + segments.toDoubleArray()[kinds[i / 2] * 2 + i % 2];
    }
    assertThat(results.get(0).toDoubleArray())
        .containsExactly(normal(sums, 2, 1e-5, true, i -> 1), within(1e-3));
    assertThat(results.get(1).toLongArray()).containsExactly(2, 3);
    assertClose(results.get(2).toDoubleArray(), sums);
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void groupsOfChannels(int channelsLast) {
    boolean isLast = channelsLast == 1;
    Tensor x = isLast ? randomTensor(1, 1, 2, 3, 4) : randomTensor(1, 1, 4, 2, 3);
    Tensor gamma = randomTensor(2, 4);
    Tensor beta = randomTensor(3, 4);
    Tensor skip = randomTensor(4, 1, 4);
    double[] sums = x.toDoubleArray();
    double[][] groups = new double[2][12];
    for (int i = 0; i < 24; i++) {
      int channel = isLast ? i % 4 : i / 6;
      int place = isLast ? i / 4 : i % 6;
      sums[i] += skip.toDoubleArray()[channel];
      groups[channel / 2][channel % 2 * 6 + place] = sums[i];
    }
    double[][] normals = {
      normal(groups[0], 12, 1e-5, true, i -> 1), normal(groups[1], 12, 1e-5, true, i -> 1)
    };
    double[] expected = new double[24];
    for (int i = 0; i < 24; i++) {
      int channel = isLast ? i % 4 : i / 6;
      int place = isLast ? i / 4 : i % 6;
      double v =
          normals[channel / 2][channel % 2 * 6 + place] * gamma.toDoubleArray()[channel]
              + beta.toDoubleArray()[channel];
      expected[i] = v / (1 + Math.exp(-v));
    }
    List<Tensor> results =
        microsoft("SkipGroupNorm")
            .input(x)
            .constant(gamma)
            .constant(beta)
            .input(skip)
            .with("activation", 1)
            .with("groups", 2)
            .with("channels_last", channelsLast)
            .run(2);
    assertClose(results.get(0).toDoubleArray(), expected);
    assertClose(results.get(1).toDoubleArray(), sums);
    assertClose(
        microsoft("GroupNorm")
            .input(results.get(1))
            .constant(gamma)
            .constant(beta)
            .with("activation", 1)
            .with("groups", 2)
            .with("channels_last", channelsLast)
            .numbers(),
        expected);
  }

  @Test
  void anUnknownActivationOfGroupNormIsReported() {
    assertThat(
            microsoft("GroupNorm")
                .input(randomTensor(1, 1, 2, 2, 2))
                .input(randomTensor(1, 2))
                .input(randomTensor(1, 2))
                .with("activation", 3)
                .with("groups", 1)
                .model(1)
                .check(OnnxOptions.DEFAULT)
                .message())
        .contains("the activation is 3; expected 0 or 1");
  }
}
