package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Folds float32 elements in memory with one operation, in an order that depends on nothing but
 * their number. A NaN among them makes the result NaN. Stateless and thread-safe.
 */
public interface FloatReducer {
  /** The most neighbours that are folded at once. */
  int LONGEST_LINE = 1 << 14;

  /** The most rows that are folded at once: few, for they are folded in float32. */
  int MOST_ROWS = 64;

  /** The longest row. */
  int LONGEST_ROW = 1 << 10;

  /** The length of arrays that a caller lends; it covers a row and a vector behind it. */
  int SCRATCH = 1 << 12;

  /**
   * Folds neighbours into one, pairwise.
   *
   * @param at offset of the first one, in bytes
   * @param count from 1 to {@link #LONGEST_LINE}
   * @param scratch of {@link #SCRATCH} elements, overwritten
   */
  double line(MemorySegment x, long at, int count, float[] scratch);

  /**
   * Folds rows into one row.
   *
   * @param at offset of the first element of the first row, in bytes
   * @param step from one row to the next, in bytes
   * @param rows from 1 to {@link #MOST_ROWS}
   * @param count elements of a row, from 1 to {@link #LONGEST_ROW}
   * @param into gets the row; of {@link #SCRATCH} elements, overwritten
   * @param scratch likewise, overwritten
   */
  void rows(
      MemorySegment x, long at, long step, int rows, int count, float[] into, float[] scratch);

  /** Folds each number of a row into a result. */
  void apply(double[] results, float[] row, int count);

  /** Folds two numbers. */
  double apply(double a, double b);
}
