package org.relaxvm.backendcpu.vector.depthwise;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.kernel.Window;

/**
 * Eight vectors of sums below each other, for windows of a number of rows: each piece of the band
 * is read once for all rows of positions that meet it, since reading across cache lines takes
 * longer than multiplying. Immutable and thread-safe.
 */
abstract class RowTile {
  /** Rows of positions that are computed at once. */
  static final int ROWS = 8;

  /** The tile for a window; null where there is none. */
  static @Nullable RowTile of(Window vertical) {
    long stride = vertical.stride();
    if (vertical.dilation() != 1 || stride > 2) {
      return null;
    }
    return switch ((int) Math.min(8, vertical.size())) {
      case 3 -> new RowTile3(stride == 2);
      case 5 -> new RowTile5(stride == 2);
      case 7 -> new RowTile7(stride == 2);
      default -> null;
    };
  }

  /**
   * Computes sums: {@code c[cAt + i * cStep + j] = start + sum over y and x of w[wAt + y * wStep +
   * x] * b[bAt + i * bStep + place of y + columns[x] + j]}, for each {@code j} of a vector, stored
   * in the order of {@code i}.
   *
   * @param bStep from one row of a phase of the band to the next one
   * @param odd with a stride of 2, from an even row of the band to the odd one after it
   * @param relu whether to replace what is below 0 by 0
   */
  abstract void sum(
      float[] w,
      int wAt,
      int wStep,
      float[] b,
      int bAt,
      int bStep,
      int odd,
      int[] columns,
      float start,
      boolean relu,
      float[] c,
      int cAt,
      int cStep);

  /** The larger one of an element and 0; NaN stays. */
  static FloatVector relu(FloatVector x) {
    return x.blend(0f, x.compare(VectorOperators.LT, 0f));
  }
}
