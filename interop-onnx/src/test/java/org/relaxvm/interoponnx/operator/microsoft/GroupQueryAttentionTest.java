package org.relaxvm.interoponnx.operator.microsoft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.relaxvm.interoponnx.operator.OperatorRun.ints;
import static org.relaxvm.interoponnx.operator.OperatorRun.microsoft;
import static org.relaxvm.interoponnx.operator.OperatorRun.randomTensor;
import static org.relaxvm.interoponnx.operator.attention.PlainAttention.byHead;
import static org.relaxvm.interoponnx.operator.attention.PlainAttention.joined;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoponnx.operator.OperatorRun;
import org.relaxvm.interoponnx.operator.attention.PlainAttention;
import org.relaxvm.interoponnx.options.OnnxOptions;

/** Queries that share keys, with caches and rotary embeddings. */
class GroupQueryAttentionTest {
  private static final double HIDDEN = Double.NEGATIVE_INFINITY;
  private static final int HEADS = 4;
  private static final int SHARED = 2;
  private static final int SIZE = 4;
  private static final int TOTAL = 5;
  private static final Tensor Q = randomTensor(1, 1, TOTAL, HEADS * SIZE);
  private static final Tensor K = randomTensor(2, 1, TOTAL, SHARED * SIZE);
  private static final Tensor V = randomTensor(3, 1, TOTAL, SHARED * SIZE);

  private static Tensor cache(boolean isCosine) {
    float[] values = new float[16 * SIZE / 2];
    for (int i = 0; i < values.length; i++) {
      double angle = i / (SIZE / 2) * Math.pow(10000, -2.0 * (i % (SIZE / 2)) / SIZE);
      values[i] = (float) (isCosine ? Math.cos(angle) : Math.sin(angle));
    }
    return Tensor.of(values, Shape.of(16, SIZE / 2));
  }

  private static Tensor rows(Tensor x, int from, int to) {
    int width = (int) x.shape().toArray()[2];
    float[] values = new float[(to - from) * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) x.toDoubleArray()[from * width + i];
    }
    return Tensor.of(values, Shape.of(1, to - from, width));
  }

  /**
   * A call for the positions from one to another.
   *
   * @param past keys and values of earlier calls; null for none
   * @param isKnown whether the number of keys is a constant of the model
   */
  private static List<Tensor> call(
      int from, int to, @Nullable List<Tensor> past, boolean isKnown, boolean rotates) {
    OperatorRun run =
        microsoft("GroupQueryAttention")
            .input(rows(Q, from, to), 1, "s", HEADS * SIZE)
            .input(rows(K, from, to), 1, "s", SHARED * SIZE)
            .input(rows(V, from, to), 1, "s", SHARED * SIZE);
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(1, SHARED, 0, SIZE));
    run.input(past == null ? none : past.get(1), 1, SHARED, "p", SIZE);
    run.input(past == null ? none : past.get(2), 1, SHARED, "p", SIZE);
    run.input(ints(to - 1));
    Tensor total = Tensor.of(new int[] {to}, Shape.of());
    if (isKnown) {
      run.constant(total);
    } else {
      run.input(total);
    }
    if (rotates) {
      run.constant(cache(true)).constant(cache(false)).with("do_rotary", 1);
    }
    return run.with("num_heads", HEADS).with("kv_num_heads", SHARED).run(3);
  }

  private static double[] plain(Tensor q, Tensor k, PlainAttention.Bias bias) {
    double[] y =
        new PlainAttention(1, HEADS, SHARED, SIZE)
            .run(
                byHead(q.toDoubleArray(), 1, TOTAL, HEADS, SIZE),
                byHead(k.toDoubleArray(), 1, TOTAL, SHARED, SIZE),
                byHead(V.toDoubleArray(), 1, TOTAL, SHARED, SIZE),
                TOTAL,
                TOTAL,
                bias,
                null);
    return joined(y, 1, TOTAL, HEADS, SIZE);
  }

  private static double causal(int b, int h, int q, int k) {
    return k <= q ? 0 : HIDDEN;
  }

  @Test
  void onePassIsCausal() {
    double[] expected = plain(Q, K, GroupQueryAttentionTest::causal);
    assertThat(call(0, TOTAL, null, true, false).getFirst().toDoubleArray())
        .containsExactly(expected, within(1e-5));
  }

  /** Each half of a head by its position, as in the text. */
  private static Tensor turned(Tensor x, int heads) {
    double[] values = x.toDoubleArray();
    float[] result = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      int pair = i % (SIZE / 2);
      int position = i / (heads * SIZE);
      double angle = position * Math.pow(10000, -2.0 * pair / SIZE);
      boolean isFirst = i % SIZE < SIZE / 2;
      double other = values[isFirst ? i + SIZE / 2 : i - SIZE / 2];
      result[i] =
          (float) (values[i] * Math.cos(angle) + (isFirst ? -other : other) * Math.sin(angle));
    }
    return Tensor.of(result, x.shape());
  }

  @Test
  void onePassTurnsQueriesAndKeys() {
    double[] expected = plain(turned(Q, HEADS), turned(K, SHARED), GroupQueryAttentionTest::causal);
    assertThat(call(0, TOTAL, null, true, true).getFirst().toDoubleArray())
        .containsExactly(expected, within(1e-5));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPromptAndSingleStepsAreOnePass(boolean isKnown) {
    List<Tensor> whole = call(0, TOTAL, null, isKnown, true);
    List<Tensor> past = call(0, 2, null, isKnown, true);
    assertSame(past.getFirst(), rows(whole.getFirst(), 0, 2));
    for (int step = 2; step < TOTAL; step++) {
      past = call(step, step + 1, past, isKnown, true);
      assertSame(past.getFirst(), rows(whole.getFirst(), step, step + 1));
    }
    assertSame(past.get(1), whole.get(1));
    assertSame(past.get(2), whole.get(2));
  }

  private static void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(actual.toDoubleArray()).containsExactly(expected.toDoubleArray(), within(1e-5));
  }

  /** The buffer is longer than what is in use, and rows of the batch have different lengths. */
  @Test
  void newKeysFollowThoseOfTheirRow() {
    Tensor buffer = randomTensor(4, 2, SHARED, 6, SIZE);
    Tensor own = randomTensor(5, 2, 1, SHARED * SIZE);
    List<Tensor> results =
        microsoft("GroupQueryAttention")
            .input(randomTensor(6, 2, 1, HEADS * SIZE))
            .input(own)
            .input(own)
            .input(buffer, 2, SHARED, 6, SIZE)
            .input(buffer, 2, SHARED, 6, SIZE)
            .input(ints(2, 4))
            .input(Tensor.of(new int[] {5}, Shape.of()))
            .with("num_heads", HEADS)
            .with("kv_num_heads", SHARED)
            .run(3);
    double[] expected = buffer.toDoubleArray();
    for (int b = 0; b < 2; b++) {
      for (int h = 0; h < SHARED; h++) {
        for (int d = 0; d < SIZE; d++) {
          int row = b == 0 ? 2 : 4;
          expected[((b * SHARED + h) * 6 + row) * SIZE + d] =
              own.toDoubleArray()[(b * SHARED + h) * SIZE + d];
        }
      }
    }
    assertThat(results.get(1).toDoubleArray()).containsExactly(expected, within(1e-6));
    double[] y =
        new PlainAttention(2, HEADS, SHARED, SIZE)
            .run(
                randomTensor(6, 2, 1, HEADS * SIZE).toDoubleArray(),
                expected,
                expected,
                1,
                6,
                (b, h, q, k) -> k <= (b == 0 ? 2 : 4) ? 0 : HIDDEN,
                null);
    assertThat(results.get(0).toDoubleArray()).containsExactly(y, within(1e-5));
  }

  @Test
  void windowsCapsAndSinks() {
    Tensor sink = Tensor.of(new float[] {0.5f, -1, 2, 0}, Shape.of(HEADS));
    double[] y =
        microsoft("GroupQueryAttention")
            .input(packed())
            .absent()
            .absent()
            .absent()
            .absent()
            .input(ints(TOTAL - 1))
            .constant(Tensor.of(new int[] {TOTAL}, Shape.of()))
            .absent()
            .absent()
            .absent()
            .absent()
            .constant(sink)
            .with("num_heads", HEADS)
            .with("kv_num_heads", SHARED)
            .with("local_window_size", 2)
            .with("softcap", 0.5f)
            .numbers();
    double[] expected =
        new PlainAttention(1, HEADS, SHARED, SIZE)
            .cap(0.5)
            .run(
                byHead(Q.toDoubleArray(), 1, TOTAL, HEADS, SIZE),
                byHead(K.toDoubleArray(), 1, TOTAL, SHARED, SIZE),
                byHead(V.toDoubleArray(), 1, TOTAL, SHARED, SIZE),
                TOTAL,
                TOTAL,
                (b, h, q, k) -> k <= q && k > q - 2 ? 0 : HIDDEN,
                sink.toDoubleArray());
    assertThat(y).containsExactly(joined(expected, 1, TOTAL, HEADS, SIZE), within(1e-5));
  }

  /** Queries, keys and values of each position after each other. */
  private static Tensor packed() {
    int width = (HEADS + 2 * SHARED) * SIZE;
    float[] values = new float[TOTAL * width];
    for (int t = 0; t < TOTAL; t++) {
      int to = t * width;
      for (Tensor part : List.of(Q, K, V)) {
        int own = (int) part.shape().toArray()[2];
        for (int i = 0; i < own; i++) {
          values[to++] = (float) part.toDoubleArray()[t * own + i];
        }
      }
    }
    return Tensor.of(values, Shape.of(1, TOTAL, width));
  }

  @Test
  void aSinglePositionIsThatOfTheFirstElement() {
    Tensor x = randomTensor(7, 2, 3, HEADS * SIZE);
    Tensor one =
        microsoft("RotaryEmbedding")
            .input(x)
            .input(Tensor.of(new long[] {2}, Shape.of(1)))
            .constant(cache(true))
            .constant(cache(false))
            .run();
    Tensor each =
        microsoft("RotaryEmbedding")
            .input(x)
            .input(Tensor.of(new long[] {2, 3, 4, 2, 3, 4}, Shape.of(2, 3)), "b", "s")
            .constant(cache(true))
            .constant(cache(false))
            .run();
    assertThat(one.toDoubleArray()).containsExactly(each.toDoubleArray(), within(1e-6));
    assertThat(one.toDoubleArray()).isNotEqualTo(x.toDoubleArray());
  }

  @Test
  void aQuantizedCacheIsReported() {
    Tensor x = randomTensor(1, 1, 1, 8);
    assertThat(
            microsoft("GroupQueryAttention")
                .input(x)
                .with("num_heads", 1)
                .with("kv_num_heads", 1)
                .with("k_quant_type", "PER_TENSOR")
                .model(1)
                .check(OnnxOptions.DEFAULT)
                .message())
        .contains("a quantized cache is not supported: k_quant_type is PER_TENSOR");
  }
}
