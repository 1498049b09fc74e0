package org.relaxvm.interoponnx.operator.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.randomTensor;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Attention of ONNX: masks, windows, caches, grouped heads. */
class StandardAttentionTest {
  private static final double HIDDEN = Double.NEGATIVE_INFINITY;
  private static final int QUERIES = 4;
  private static final int KEYS = 6;
  private static final int SIZE = 2;
  private static final Tensor Q = randomTensor(1, 1, 4, QUERIES, SIZE);
  private static final Tensor K = randomTensor(2, 1, 2, KEYS, SIZE);
  private static final Tensor V = randomTensor(3, 1, 2, KEYS, SIZE);

  private static OperatorRun run(Tensor q, Tensor k, Tensor v) {
    return OperatorRun.of("Attention", 25)
        .input(q, 1, 4, "sq", SIZE)
        .input(k, 1, 2, "sk", SIZE)
        .input(v, 1, 2, "sk", SIZE);
  }

  private static double[] plain(PlainAttention.Bias bias) {
    return new PlainAttention(1, 4, 2, SIZE)
        .run(Q.toDoubleArray(), K.toDoubleArray(), V.toDoubleArray(), QUERIES, KEYS, bias, null);
  }

  @ParameterizedTest
  @CsvSource({"-1, -1, 1", "2, -1, 1", "1, 1, 0", "-1, 0, 0", "0, 0, 0", "3, 2, 1"})
  void windowsAndCausalMasks(long left, long right, int causal) {
    double[] y =
        run(Q, K, V)
            .with("left_window_size", left)
            .with("right_window_size", right)
            .with("is_causal", causal)
            .numbers();
    double[] expected =
        plain(
            (b, h, q, k) ->
                (left >= 0 && k < q - left)
                        || (right >= 0 && k > q + right)
                        || (causal == 1 && k > q)
                    ? HIDDEN
                    : 0);
    assertThat(y).containsExactly(expected, within(1e-5));
  }

  @Test
  void aShorterMaskHidesTheOtherKeysAndHiddenRowsAreZero() {
    boolean[] mask = new boolean[QUERIES * 4];
    for (int i = 4; i < mask.length; i++) {
      mask[i] = i % 3 != 0;
    }
    double[] y = run(Q, K, V).input(Tensor.of(mask, Shape.of(QUERIES, 4))).numbers();
    double[] expected = plain((b, h, q, k) -> k < 4 && mask[q * 4 + k] ? 0 : HIDDEN);
    assertThat(y).containsExactly(expected, within(1e-5));
    assertThat(y[0]).isZero();
  }

  @Test
  void numbersAreAddedWithAnExtentThatIsKnownAtRunTime() {
    Tensor mask = randomTensor(4, 4, QUERIES, KEYS);
    double[] added = mask.toDoubleArray();
    double[] y = run(Q, K, V).input(mask, 4, "sq", "total").with("scale", 0.25f).numbers();
    double[] expected =
        new PlainAttention(1, 4, 2, SIZE)
            .scale(0.25)
            .run(
                Q.toDoubleArray(),
                K.toDoubleArray(),
                V.toDoubleArray(),
                QUERIES,
                KEYS,
                (b, h, q, k) -> added[(h * QUERIES + q) * KEYS + k],
                null);
    assertThat(y).containsExactly(expected, within(1e-5));
  }

  @Test
  void lengthsHideKeysAndShiftQueries() {
    double[] y =
        run(Q, K, V)
            .absent()
            .absent()
            .absent()
            .input(Tensor.of(new long[] {3}, Shape.of(1)))
            .with("is_causal", 1)
            .numbers();
    double[] expected = plain((b, h, q, k) -> k < 3 && k <= q + 3 - QUERIES ? 0 : HIDDEN);
    assertThat(y).containsExactly(expected, within(1e-5));
  }

  /** The keys of a cache come first, and queries see all of them. */
  @Test
  void aCacheThatGrows() {
    Tensor pastKey = randomTensor(5, 1, 2, KEYS - QUERIES, SIZE);
    Tensor pastValue = randomTensor(6, 1, 2, KEYS - QUERIES, SIZE);
    Tensor key = randomTensor(7, 1, 2, QUERIES, SIZE);
    Tensor value = randomTensor(8, 1, 2, QUERIES, SIZE);
    List<Tensor> results =
        OperatorRun.of("Attention", 23)
            .input(Q, 1, 4, "s", SIZE)
            .input(key, 1, 2, "s", SIZE)
            .input(value, 1, 2, "s", SIZE)
            .absent()
            .input(pastKey, 1, 2, "past", SIZE)
            .input(pastValue, 1, 2, "past", SIZE)
            .with("is_causal", 1)
            .run(3);
    double[] keys = results.get(1).toDoubleArray();
    double[] expected =
        new PlainAttention(1, 4, 2, SIZE)
            .run(
                Q.toDoubleArray(),
                keys,
                results.get(2).toDoubleArray(),
                QUERIES,
                KEYS,
                (b, h, q, k) -> k <= q + KEYS - QUERIES ? 0 : HIDDEN,
                null);
    assertThat(results.get(0).toDoubleArray()).containsExactly(expected, within(1e-5));
    assertThat(results.get(1).shape()).isEqualTo(Shape.of(1, 2, KEYS, SIZE));
    assertThat(keys[0]).isEqualTo(pastKey.toDoubleArray()[0]);
  }

  @Test
  void theScoresAreShownAtEachStep() {
    double[][] shown = new double[4][];
    for (int mode = 0; mode < 4; mode++) {
      shown[mode] =
          run(Q, K, V)
              .input(
                  Tensor.of(new float[] {0, 0, 1, 0, 0, Float.NEGATIVE_INFINITY}, Shape.of(1, 6)))
              .with("softcap", 0.5f)
              .with("qk_matmul_output_mode", mode)
              .run(4)
              .get(3)
              .toDoubleArray();
    }
    double sum = 0;
    for (int i = 0; i < KEYS; i++) {
      assertThat(shown[1][i]).isCloseTo(0.5 * Math.tanh(shown[0][i] / 0.5), within(1e-5));
      sum += shown[3][i];
    }
    assertThat(shown[2][2]).isCloseTo(shown[1][2] + 1, within(1e-5));
    assertThat(shown[2][5]).isEqualTo(HIDDEN);
    assertThat(sum).isCloseTo(1, within(1e-5));
  }

  @Test
  void narrowFloatsAreComputedInWideOnes() {
    Tensor[] narrow = new Tensor[3];
    Tensor[] wide = {Q, K, V};
    for (int i = 0; i < 3; i++) {
      narrow[i] = bfloat16(wide[i]);
      wide[i] = Tensor.of(floats(narrow[i]), wide[i].shape());
    }
    Tensor y = run(narrow[0], narrow[1], narrow[2]).run();
    assertThat(y.dtype()).isEqualTo(DType.BFLOAT16);
    double[] expected = run(wide[0], wide[1], wide[2]).numbers();
    assertThat(y.toDoubleArray()).containsExactly(expected, within(1e-2));
  }

  private static Tensor bfloat16(Tensor x) {
    double[] values = x.toDoubleArray();
    byte[] bytes = new byte[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      int bits = Float.floatToIntBits((float) values[i]) >> 16;
      bytes[2 * i] = (byte) bits;
      bytes[2 * i + 1] = (byte) (bits >> 8);
    }
    return Tensor.of(bytes, DType.BFLOAT16, x.shape());
  }

  private static float[] floats(Tensor x) {
    double[] values = x.toDoubleArray();
    float[] result = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }

  @ParameterizedTest
  @CsvSource({
    "q_num_heads, the attribute 'q_num_heads' is missing",
    "kv_num_heads, the attribute 'kv_num_heads' is missing"
  })
  void headsMustBeGivenForJoinedInputs(String missing, String problem) {
    Tensor x = randomTensor(1, 1, 2, 4);
    OperatorRun run = OperatorRun.of("Attention", 23).input(x).input(x).input(x);
    Map.of("q_num_heads", 2, "kv_num_heads", 2)
        .forEach(
            (name, value) -> {
              if (!name.equals(missing)) {
                run.with(name, value);
              }
            });
    assertThat(run.model(1).check(OnnxOptions.DEFAULT).message()).contains(problem);
  }

  @Test
  void headsThatDoNotDivideAreReported() {
    Tensor q = randomTensor(1, 1, 3, 2, 2);
    Tensor k = randomTensor(1, 1, 2, 2, 2);
    assertThat(
            OperatorRun.of("Attention", 23)
                .input(q)
                .input(k)
                .input(k)
                .model(1)
                .check(OnnxOptions.DEFAULT)
                .message())
        .contains(
            "the heads of queries and keys are 3 and 2; expected numbers of which the second"
                + " divides the first");
  }
}
