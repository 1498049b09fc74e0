package org.relaxvm.backendcpu.vector.pool;

/**
 * How elements of a window become one. Rows are folded first, then columns: both take a few vectors
 * for each one of results, where windows as a whole would take their product. Immutable and
 * thread-safe.
 */
abstract class Fold {
  /** How many elements may be read and written after the last one. */
  abstract int slack();

  /** What changes nothing. */
  abstract float neutral();

  /**
   * Which rows of a plane each row of windows meets.
   *
   * @param at place of the first one
   * @param count how many
   * @param step from one to the next one
   * @param inside how many count; 1 where none does
   */
  record Rows(int[] at, int[] count, int step, float[] inside) {}

  /**
   * Folds rows of some planes: for each plane, for each row of windows, a row goes to {@code toAt},
   * {@code toAt + toStep}, and so on. Nothing else is written.
   */
  abstract void rows(
      float[] from,
      int planes,
      int planeStep,
      Rows rows,
      int width,
      float[] to,
      int toAt,
      int toStep);

  /**
   * Folds columns: {@code to[i] = fold over p of from[offsets[p] + i]}, for {@code 0 <= i < count}
   * and up to {@link #slack} more.
   */
  abstract void columns(float[] from, int[] offsets, float[] to, int count);

  /**
   * Finishes rows of results, which get {@code width} elements each, in order; after the last one
   * up to {@link #slack} more may be written.
   *
   * @param step from one row to the next one
   * @param inside how many elements of each column of windows count; 1 where none does
   */
  abstract void finish(
      float[] from, int lines, int step, int width, Rows rows, float[] inside, float[] to);
}
