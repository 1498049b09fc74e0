package org.relaxvm.backendtestkit.library;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Calls with values or results that are not finite, in rows of some vectors and a remainder. */
public final class ExtremeCases {
  private static final int LENGTH = 35;
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  private ExtremeCases() {}

  /** A call of a kernel of the table. */
  public record Case(String name, @Nullable Object... args) {}

  /** All of them. */
  public static List<Case> all() {
    Tensor rows = rows();
    Tensor out = Tensor.zeros(DType.FLOAT32, rows.shape());
    Shape last = Shape.of(-1);
    return List.of(
        new Case("softmax", rows, 1, out),
        new Case("log_softmax", rows, 1, out),
        new Case("layer_norm", rows, null, null, last, 1e-5, out),
        new Case("rms_norm", rows, null, last, 1e-5, out),
        meanOfNothing(1, 2, 2, 0),
        meanOfNothing(0),
        new Case("group_norm", rows, null, null, 5, 1, Shape.of(), 1e-5, out),
        attention("none", -INFINITY, 1),
        attention("TopLeft", -INFINITY, 1),
        attention("none", INFINITY, 1),
        attention("none", Float.NaN, 1),
        attention("TopLeft", 0, Float.NaN),
        attention("TopLeft", 0, INFINITY));
  }

  /** A mean over no elements, into memory that holds a number. */
  private static Case meanOfNothing(long... dims) {
    Tensor out = Tensor.of(new float[] {2.5f}, Shape.of());
    return new Case("mean", Tensor.zeros(DType.FLOAT32, Shape.of(dims)), null, false, out);
  }

  /** Rows of one extreme at different positions, and rows of nothing else. */
  private static Tensor rows() {
    float[] extremes = {Float.NaN, INFINITY, -INFINITY};
    int[] positions = {0, 17, LENGTH - 1};
    int count = extremes.length * (positions.length + 1);
    float[] values = new float[count * LENGTH];
    for (int row = 0; row < count; row++) {
      float extreme = extremes[row / (positions.length + 1)];
      int position = row % (positions.length + 1);
      int start = row * LENGTH;
      if (position == positions.length) {
        Arrays.fill(values, start, start + LENGTH, extreme);
      } else {
        for (int i = 0; i < LENGTH; i++) {
          values[start + i] = i == positions[position] ? extreme : i / 8f;
        }
      }
    }
    return Tensor.of(values, Shape.of(count, LENGTH));
  }

  /**
   * Attention of three queries and keys.
   *
   * @param score added to all scores of query 0 and to one of query 1
   * @param value of the last key, which queries 0 and 1 of a causal mask do not read
   */
  private static Case attention(String mask, float score, float value) {
    Tensor x = Tensor.of(new float[] {1, 0, 0.5f, 1, -1, 2}, Shape.of(1, 3, 1, 2));
    Tensor v = Tensor.of(new float[] {1, 2, 3, 4, value, 6}, Shape.of(1, 3, 1, 2));
    float[] bias = {score, score, score, score, 0, 0, 0, 0, 0};
    return new Case(
        "attention",
        x,
        x,
        v,
        Tensor.of(bias, Shape.of(3, 3)),
        null,
        mask,
        Tensor.zeros(DType.FLOAT32, x.shape()));
  }
}
