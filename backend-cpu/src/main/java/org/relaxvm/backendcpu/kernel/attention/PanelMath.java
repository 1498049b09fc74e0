package org.relaxvm.backendcpu.kernel.attention;

import java.lang.foreign.MemorySegment;

/**
 * Arithmetic on matrices of float32 in arrays, as attention needs it. A panel is a matrix of {@link
 * #columns()} columns, one for each query, row after row. Stateless and thread-safe.
 */
public interface PanelMath {
  /** Rows that are multiplied at once. */
  int rows();

  /** Columns that are multiplied at once. */
  int strip();

  /** From one key to the next in memory of keys, which is also the most of a key at once. */
  int keyStep();

  /** Queries of a panel: a multiple of {@link #rows()} and of {@link #strip()}. */
  int columns();

  /**
   * Loads rows of neighbouring elements.
   *
   * @param from offset of the first element, in bytes
   * @param next from one row to the next in memory, in bytes
   * @param step from one row to the next in the array
   */
  void load(
      MemorySegment memory,
      long from,
      long next,
      int rows,
      int columns,
      float[] to,
      int at,
      int step);

  /**
   * Makes lines columns of rows of {@link #strip()} elements, times a factor.
   *
   * @param lines one after the other, of at least {@link #strip()}; overwritten
   * @param count how many there are
   * @param length elements of a line
   */
  void transpose(float[] lines, int count, int length, float factor, float[] to, int at);

  /** Whether all elements of rows of a strip are numbers and not infinite. */
  boolean finite(float[] x, int at, int rows);

  /**
   * The scores of {@link #rows()} keys for {@link #strip()} queries.
   *
   * @param keys each {@link #keyStep()} after the one before
   * @param at index of the first key
   * @param depth elements of a key, at most {@link #keyStep()}
   * @param queries rows of {@link #strip()} elements, as many as {@code depth}
   * @param to index of the first score, in a panel
   */
  void scores(
      float[] keys, int at, int depth, float[] queries, int queriesAt, float[] scores, int to);

  /** Adds the first rows of another panel to a panel. */
  void add(float[] panel, float[] other, int rows);

  /**
   * Adds weights times values to the sums of {@link #rows()} queries.
   *
   * @param weights a panel, with a row for each key
   * @param query the first one
   * @param values rows of {@link #strip()} elements, one for each key
   * @param to index of the first sum
   * @param step from the sums of a query to those of the next one
   */
  void addValues(
      float[] weights,
      int query,
      int keys,
      float[] values,
      int valuesAt,
      float[] sums,
      int to,
      int step);

  /**
   * Raises the largest number of each of the first columns to those of a panel; NaN are passed
   * over. More columns may be raised.
   */
  void largest(float[] panel, int rows, int columns, float[] largest);

  /** Whether one of the first numbers is more than {@code slack} above the one at its index. */
  boolean exceed(float[] x, float[] y, float slack, int count);

  /**
   * Replaces each element of the first columns by {@code exp(x - shift)} and adds it to the sum of
   * its column. More columns may be replaced.
   *
   * @param shift one of each column, at most 80 less than any element
   */
  void exponentials(float[] panel, int rows, int columns, float[] shift, float[] sums);

  /**
   * Writes rows of neighbouring elements, divided by one number each, into native memory.
   *
   * @param step from one row to the next in the array
   * @param divisors overwritten
   * @param to offset of the first element, in bytes
   * @param next from one row to the next in memory, in bytes
   */
  void store(
      float[] x,
      int step,
      float[] divisors,
      int rows,
      int columns,
      MemorySegment memory,
      long to,
      long next);
}
