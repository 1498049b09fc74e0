package org.relaxvm.interoponnx.operator.microsoft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.ints;
import static org.relaxvm.interoponnx.operator.OperatorRun.microsoft;
import static org.relaxvm.interoponnx.operator.OperatorRun.randomTensor;
import static org.relaxvm.interoponnx.operator.attention.PlainAttention.byHead;
import static org.relaxvm.interoponnx.operator.attention.PlainAttention.joined;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.operator.attention.PlainAttention;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Attention with projections, packed operands, masks and caches beside plain loops. */
class AttentionsTest {
  private static final double FILTER = -10000;
  private static final int BATCH = 2;
  private static final int HEADS = 2;
  private static final int SIZE = 3;
  private static final int WIDTH = HEADS * SIZE;
  private static final int LENGTH = 4;

  private static double[] numbers(Tensor tensor) {
    return tensor.toDoubleArray();
  }

  private static double[] plain(
      double[] q, double[] k, double[] v, int queries, int keys, PlainAttention.Bias bias) {
    double[] y =
        new PlainAttention(BATCH, HEADS, HEADS, SIZE)
            .run(
                byHead(q, BATCH, queries, HEADS, SIZE),
                byHead(k, BATCH, keys, HEADS, SIZE),
                byHead(v, BATCH, keys, HEADS, SIZE),
                queries,
                keys,
                bias,
                null);
    return joined(y, BATCH, queries, HEADS, SIZE);
  }

  private static void assertClose(Tensor actual, double[] expected) {
    assertThat(numbers(actual)).containsExactly(expected, within(1e-4));
  }

  // ---------------------------------------------------------------- masks

  /** Masks of the same three lengths in each form. */
  static Stream<Arguments> masks() {
    PlainAttention.Bias lengths = (b, h, q, k) -> k < (b == 0 ? 3 : 2) ? 0 : FILTER;
    PlainAttention.Bias between =
        (b, h, q, k) -> k >= (b == 0 ? 1 : 0) && k < (b == 0 ? 4 : 3) ? 0 : FILTER;
    int[] squares = new int[BATCH * LENGTH * LENGTH];
    for (int i = 0; i < squares.length; i++) {
      squares[i] = i % 3 == 0 ? 0 : 1;
    }
    return Stream.of(
        Arguments.of(ints(3, 2), lengths),
        Arguments.of(ints(4, 3, 1, 0), between),
        Arguments.of(ints(3, 2, 0, 4, 8, 0, 4, 8), lengths),
        Arguments.of(
            Tensor.of(new int[] {1, 1, 1, 0, 1, 1, 0, 0}, Shape.of(BATCH, LENGTH)), lengths),
        Arguments.of(
            Tensor.of(squares, Shape.of(BATCH, LENGTH, LENGTH)),
            (PlainAttention.Bias)
                (b, h, q, k) -> squares[(b * LENGTH + q) * LENGTH + k] == 1 ? 0 : FILTER),
        Arguments.of(
            Tensor.of(squares, Shape.of(BATCH, 1, LENGTH, LENGTH)),
            (PlainAttention.Bias)
                (b, h, q, k) -> squares[(b * LENGTH + q) * LENGTH + k] == 1 ? 0 : FILTER));
  }

  @ParameterizedTest
  @MethodSource("masks")
  void projectionsWithMasks(Tensor mask, PlainAttention.Bias bias) {
    Tensor x = randomTensor(1, BATCH, LENGTH, 2);
    Tensor weights = randomTensor(2, 2, 3 * WIDTH);
    Tensor biases = randomTensor(3, 3 * WIDTH);
    double[][] parts = new double[3][BATCH * LENGTH * WIDTH];
    for (int part = 0; part < 3; part++) {
      for (int i = 0; i < parts[part].length; i++) {
        int column = part * WIDTH + i % WIDTH;
        parts[part][i] =
            numbers(biases)[column]
                + numbers(x)[i / WIDTH * 2] * numbers(weights)[column]
                + numbers(x)[i / WIDTH * 2 + 1] * numbers(weights)[3 * WIDTH + column];
      }
    }
    Tensor y =
        microsoft("Attention")
            .input(x, BATCH, LENGTH, 2)
            .constant(weights)
            .constant(biases)
            .input(mask)
            .with("num_heads", HEADS)
            .run();
    assertClose(y, plain(parts[0], parts[1], parts[2], LENGTH, LENGTH, bias));
  }

  @Test
  void aProjectionOfIntegersIsThatOfTheirNumbers() {
    byte[] integers = new byte[BATCH * LENGTH * 2];
    float[] numbers = new float[integers.length];
    for (int i = 0; i < integers.length; i++) {
      integers[i] = (byte) (120 + 5 * i);
      numbers[i] = 0.02f * ((integers[i] & 0xFF) - 130);
    }
    byte[] weights = new byte[2 * 3 * WIDTH];
    float[] weightNumbers = new float[weights.length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (byte) (37 * i % 101 - 50);
      weightNumbers[i] = 0.015f * (weights[i] - 4);
    }
    Shape inputShape = Shape.of(BATCH, LENGTH, 2);
    Shape weightShape = Shape.of(2, 3 * WIDTH);
    Tensor biases = randomTensor(3, 3 * WIDTH);
    Tensor lengths = ints(3, 2);
    Tensor expected =
        microsoft("Attention")
            .input(Tensor.of(numbers, inputShape), BATCH, LENGTH, 2)
            .constant(Tensor.of(weightNumbers, weightShape))
            .constant(biases)
            .input(lengths)
            .with("num_heads", HEADS)
            .run();
    Tensor y =
        microsoft("QAttention")
            .input(Tensor.of(integers, DType.UINT8, inputShape), BATCH, LENGTH, 2)
            .constant(Tensor.of(weights, DType.INT8, weightShape))
            .constant(biases)
            .constant(Tensor.scalar(0.02f))
            .constant(Tensor.scalar(0.015f))
            .input(lengths)
            .constant(Tensor.of(new byte[] {(byte) 130}, DType.UINT8, Shape.of()))
            .constant(Tensor.of(new byte[] {4}, DType.INT8, Shape.of()))
            .with("num_heads", HEADS)
            .run();
    assertClose(y, numbers(expected));
  }

  // ---------------------------------------------------------------- operands

  private static final Tensor Q = randomTensor(4, BATCH, LENGTH, WIDTH);
  private static final Tensor K = randomTensor(5, BATCH, 5, WIDTH);
  private static final Tensor V = randomTensor(6, BATCH, 5, WIDTH);

  private static OperatorRun multiHead() {
    return microsoft("MultiHeadAttention").with("num_heads", HEADS);
  }

  @Test
  void separateOperandsWithABiasOfTheScores() {
    Tensor bias = randomTensor(7, 1, HEADS, LENGTH, 5);
    List<Tensor> results =
        multiHead()
            .input(Q)
            .input(K, BATCH, "kv", WIDTH)
            .input(V, BATCH, "kv", WIDTH)
            .absent()
            .absent()
            .input(bias, 1, HEADS, LENGTH, "kv")
            .run(4);
    double[] expected =
        plain(
            numbers(Q),
            numbers(K),
            numbers(V),
            LENGTH,
            5,
            (b, h, q, k) -> numbers(bias)[(h * LENGTH + q) * 5 + k]);
    assertClose(results.get(0), expected);
    assertThat(results.get(3).shape()).isEqualTo(Shape.of(BATCH, HEADS, LENGTH, 5));
    assertThat(Arrays.stream(numbers(results.get(3))).sum())
        .isCloseTo(BATCH * HEADS * LENGTH, within(1e-3));
  }

  /** {@code [b, s, n, parts, d]} from tensors {@code [b, s, n * d]}. */
  private static Tensor packed(Tensor... parts) {
    int positions = (int) parts[0].shape().toArray()[1];
    float[] values = new float[parts.length * BATCH * positions * WIDTH];
    for (int i = 0; i < values.length; i++) {
      int part = i / SIZE % parts.length;
      int row = i / SIZE / parts.length;
      values[i] = (float) numbers(parts[part])[row * SIZE + i % SIZE];
    }
    return Tensor.of(values, Shape.of(BATCH, positions, HEADS, parts.length, SIZE));
  }

  @Test
  void packedOperandsAreTheSameAsSeparateOnes() {
    Tensor bias = randomTensor(8, 3 * WIDTH);
    Tensor key = randomTensor(9, BATCH, LENGTH, WIDTH);
    Tensor value = randomTensor(10, BATCH, LENGTH, WIDTH);
    Tensor separate = multiHead().input(Q).input(key).input(value).input(bias).run();
    double[][] own = {numbers(Q), numbers(key), numbers(value)};
    for (int part = 0; part < 3; part++) {
      for (int i = 0; i < own[part].length; i++) {
        own[part][i] += numbers(bias)[part * WIDTH + i % WIDTH];
      }
    }
    assertClose(separate, plain(own[0], own[1], own[2], LENGTH, LENGTH, (b, h, q, k) -> 0));
    assertClose(
        multiHead().input(packed(Q, key, value)).absent().absent().input(bias).run(),
        numbers(separate));
    assertClose(
        multiHead().input(Q).input(packed(key, value)).absent().input(bias).run(),
        numbers(separate));
  }

  @Test
  void keysOfACacheAreReadByHead() {
    Tensor key = randomTensor(11, BATCH, HEADS, 5, SIZE);
    Tensor value = randomTensor(12, BATCH, HEADS, 5, SIZE);
    double[] expected =
        new PlainAttention(BATCH, HEADS, HEADS, SIZE)
            .run(
                byHead(numbers(Q), BATCH, LENGTH, HEADS, SIZE),
                numbers(key),
                numbers(value),
                LENGTH,
                5,
                (b, h, q, k) -> 0,
                null);
    assertClose(
        multiHead().input(Q).input(key).input(value).run(),
        joined(expected, BATCH, LENGTH, HEADS, SIZE));
  }

  // ---------------------------------------------------------------- caches

  /** Rows of a cache {@code [b, n, p, d]} and of {@code [b, s, n * d]} after them. */
  private static double[] after(double[] past, int count, double[] own, int positions) {
    double[] byHead = byHead(own, BATCH, positions, HEADS, SIZE);
    double[] all = new double[past.length + own.length];
    int step = (count + positions) * SIZE;
    for (int group = 0; group < BATCH * HEADS; group++) {
      System.arraycopy(past, group * count * SIZE, all, group * step, count * SIZE);
      System.arraycopy(
          byHead, group * positions * SIZE, all, group * step + count * SIZE, positions * SIZE);
    }
    return all;
  }

  private static double[] decoded(double[] q, double[] keys, double[] values, int count) {
    return joined(
        new PlainAttention(BATCH, HEADS, HEADS, SIZE)
            .run(byHead(q, BATCH, 1, HEADS, SIZE), keys, values, 1, count, (b, h, i, k) -> 0, null),
        BATCH,
        1,
        HEADS,
        SIZE);
  }

  @Test
  void aDecoderReadsAndWritesASharedBuffer() {
    Tensor q = randomTensor(13, BATCH, 1, WIDTH);
    Tensor k = randomTensor(14, BATCH, 1, WIDTH);
    Tensor v = randomTensor(15, BATCH, 1, WIDTH);
    Tensor pastKey = randomTensor(16, BATCH, HEADS, 2, SIZE);
    Tensor pastValue = randomTensor(17, BATCH, HEADS, 2, SIZE);
    double[] keys = after(numbers(pastKey), 2, numbers(k), 1);
    double[] values = after(numbers(pastValue), 2, numbers(v), 1);
    double[] expected = decoded(numbers(q), keys, values, 3);
    List<Tensor> grown =
        microsoft("DecoderMaskedMultiHeadAttention")
            .input(q)
            .input(k)
            .input(v)
            .absent()
            .absent()
            .input(pastKey, BATCH, HEADS, "p", SIZE)
            .input(pastValue, BATCH, HEADS, "p", SIZE)
            .with("num_heads", HEADS)
            .run(3);
    assertClose(grown.get(0), expected);
    assertClose(grown.get(1), keys);
    List<Tensor> shared =
        microsoft("DecoderMaskedMultiHeadAttention")
            .input(q)
            .input(k)
            .input(v)
            .absent()
            .absent()
            .input(longer(pastKey))
            .input(longer(pastValue))
            .input(ints(2))
            .with("num_heads", HEADS)
            .with("past_present_share_buffer", 1)
            .run(3);
    assertClose(shared.get(0), expected);
    assertThat(shared.get(1).shape()).isEqualTo(Shape.of(BATCH, HEADS, 5, SIZE));
    for (int i = 0; i < 3 * SIZE; i++) {
      assertThat(numbers(shared.get(1))[i]).isCloseTo(keys[i], within(1e-6));
    }
  }

  /** A buffer of 5 positions whose first ones are given. */
  private static Tensor longer(Tensor past) {
    float[] values = new float[BATCH * HEADS * 5 * SIZE];
    Arrays.fill(values, 7);
    for (int i = 0; i < past.elementCount(); i++) {
      values[i / (2 * SIZE) * 5 * SIZE + i % (2 * SIZE)] = (float) numbers(past)[i];
    }
    return Tensor.of(values, Shape.of(BATCH, HEADS, 5, SIZE));
  }

  @Test
  void aStackedCacheAndACausalMask() {
    Tensor x = randomTensor(18, BATCH, 2, WIDTH);
    Tensor past = randomTensor(19, 2, BATCH, HEADS, 3, SIZE);
    float[] unit = new float[WIDTH * 3 * WIDTH];
    for (int i = 0; i < WIDTH; i++) {
      for (int part = 0; part < 3; part++) {
        unit[i * 3 * WIDTH + part * WIDTH + i] = 1;
      }
    }
    List<Tensor> results =
        microsoft("Attention")
            .input(x)
            .constant(Tensor.of(unit, Shape.of(WIDTH, 3 * WIDTH)))
            .absent()
            .absent()
            .input(past, 2, BATCH, HEADS, "p", SIZE)
            .with("num_heads", HEADS)
            .with("unidirectional", 1)
            .run(2);
    double[] both = numbers(past);
    double[] keys = after(Arrays.copyOf(both, both.length / 2), 3, numbers(x), 2);
    double[] values =
        after(Arrays.copyOfRange(both, both.length / 2, both.length), 3, numbers(x), 2);
    double[] expected =
        new PlainAttention(BATCH, HEADS, HEADS, SIZE)
            .run(
                byHead(numbers(x), BATCH, 2, HEADS, SIZE),
                keys,
                values,
                2,
                5,
                (b, h, q, k) -> k <= q + 3 ? 0 : Double.NEGATIVE_INFINITY,
                null);
    assertClose(results.get(0), joined(expected, BATCH, 2, HEADS, SIZE));
    assertThat(results.get(1).shape()).isEqualTo(Shape.of(2, BATCH, HEADS, 5, SIZE));
    assertThat(numbers(results.get(1)))
        .containsExactly(
            DoubleStream.concat(Arrays.stream(keys), Arrays.stream(values)).toArray(),
            within(1e-6));
  }

  @Test
  void beamsAreReported() {
    assertThat(
            multiHead()
                .input(Q)
                .input(K)
                .input(V)
                .absent()
                .absent()
                .absent()
                .absent()
                .absent()
                .absent()
                .input(ints(0))
                .model(1)
                .check(OnnxOptions.DEFAULT)
                .message())
        .contains("caches with an indirection for beam search are not supported");
  }
}
