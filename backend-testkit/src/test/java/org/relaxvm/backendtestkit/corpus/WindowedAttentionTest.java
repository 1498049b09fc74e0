package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.op.AttentionOps;
import org.relaxvm.tir.te.TensorExpr;

/** A query sees so many keys before the last one that the mask leaves it. */
class WindowedAttentionTest {
  private static final int HEADS = 2;
  private static final int SIZE = 3;

  private final Random random = new Random(7);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void keysOutsideOfTheWindowDoNotCount(AttentionOps.CausalMask mask) {
    for (int queries = 1; queries <= 5; queries++) {
      for (int count = 0; count <= 5; count++) {
        for (int window = 1; window <= 6; window++) {
          check(queries, count, window, mask);
        }
      }
    }
  }

  @Test
  void aValueThatAQueryDoesNotSeeMayBeAnything() {
    FormulaKernel kernel = new FormulaKernel();
    TensorExpr q = kernel.input("Q", DType.FLOAT64, 1, 2, 1, 1);
    TensorExpr k = kernel.input("K", DType.FLOAT64, 1, 2, 1, 1);
    TensorExpr v = kernel.input("V", DType.FLOAT64, 1, 2, 1, 1);
    TensorExpr y =
        AttentionOps.attention(
            kernel.k, "Y", q, k, v, null, null, AttentionOps.CausalMask.TOP_LEFT);
    Shape shape = Shape.of(1, 2, 1, 1);
    double[] got =
        kernel.run(
            y,
            DType.FLOAT64,
            shape,
            Tensor.of(new double[] {1, 1}, shape),
            Tensor.of(new double[] {1, 1}, shape),
            Tensor.of(new double[] {3, Double.NaN}, shape));
    assertThat(got).containsExactly(3, Double.NaN);
  }

  private void check(int queries, int count, int window, AttentionOps.CausalMask mask) {
    FormulaKernel kernel = new FormulaKernel();
    TensorExpr q = kernel.input("Q", DType.FLOAT64, 1, queries, HEADS, SIZE);
    TensorExpr k = kernel.input("K", DType.FLOAT64, 1, count, 1, SIZE);
    TensorExpr v = kernel.input("V", DType.FLOAT64, 1, count, 1, 1);
    TensorExpr bias = kernel.input("B", DType.FLOAT64, 1, 1, queries, count);
    TensorExpr y = AttentionOps.attention(kernel.k, "Y", q, k, v, bias, 0.5, mask, (long) window);
    double[] qs = numbers(queries * HEADS * SIZE);
    double[] ks = numbers(count * SIZE);
    double[] vs = numbers(count);
    double[] bs = numbers(queries * count);
    double[] got =
        kernel.run(
            y,
            DType.FLOAT64,
            Shape.of(1, queries, HEADS, 1),
            Tensor.of(qs, Shape.of(1, queries, HEADS, SIZE)),
            Tensor.of(ks, Shape.of(1, count, 1, SIZE)),
            Tensor.of(vs, Shape.of(1, count, 1, 1)),
            Tensor.of(bs, Shape.of(1, 1, queries, count)));
    double[] wanted = new double[got.length];
    int offset = mask == AttentionOps.CausalMask.BOTTOM_RIGHT ? Math.abs(queries - count) : 0;
    for (int i = 0; i < queries; i++) {
      int from = Math.max(0, i + offset - window + 1);
      int to = Math.min(count - 1, i + offset);
      for (int head = 0; head < HEADS; head++) {
        double weights = 0;
        double sum = 0;
        for (int j = from; j <= to; j++) {
          double score = bs[i * count + j];
          for (int p = 0; p < SIZE; p++) {
            score += 0.5 * qs[(i * HEADS + head) * SIZE + p] * ks[j * SIZE + p];
          }
          weights += Math.exp(score);
          sum += Math.exp(score) * vs[j];
        }
        wanted[i * HEADS + head] = from > to ? 0 : sum / weights;
      }
    }
    assertThat(got)
        .as("%d queries, %d keys, a window of %d", queries, count, window)
        .containsExactly(wanted, within(1e-12));
  }

  private double[] numbers(int count) {
    return random.doubles(count, -1, 1).toArray();
  }
}
