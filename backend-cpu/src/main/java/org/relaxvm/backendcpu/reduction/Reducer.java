package org.relaxvm.backendcpu.reduction;

import java.lang.foreign.MemorySegment;

/**
 * Folds elements in memory with one operation, in an order that depends on nothing but their
 * number. A NaN among them makes the result NaN. One thread's.
 *
 * @param <R> the array type of results
 */
public interface Reducer<R> {
  /** The most neighbours that are folded at once. */
  int LONGEST_LINE = 1 << 14;

  /** The most rows that are folded at once: few, for they may be folded in float32. */
  int MOST_ROWS = 64;

  /** The longest row. */
  int LONGEST_ROW = 1 << 10;

  /**
   * Folds each of several lines into one result.
   *
   * @param at offset of the first element of the first line, in bytes
   * @param step from one line to the next, in bytes
   * @param count elements of a line, from 1 to {@link #LONGEST_LINE}
   */
  void lines(MemorySegment x, long at, long step, int lines, int count, R results);

  /**
   * Folds rows into one row of results.
   *
   * @param at offset of the first element of the first row, in bytes
   * @param step from one row to the next, in bytes
   * @param rows from 1 to {@link #MOST_ROWS}
   * @param count elements of a row, from 1 to {@link #LONGEST_ROW}
   */
  void rows(MemorySegment x, long at, long step, int rows, int count, R results);
}
