package org.relaxvm.backendcpu.vector.gemm;

import java.lang.foreign.MemorySegment;

/**
 * Multiplies one row with a matrix by going through the matrix once, as it lies in memory.
 * Immutable and thread-safe.
 *
 * @param <A> the array type
 */
abstract class MatrixSweeps<A> {
  /**
   * Adds groups of four rows of neighbouring elements: {@code sums[j] += sum over q of factors[from
   * + g + q * factorStep] * matrix[g][q][j]} for each group {@code g}.
   *
   * @param at place of the first row, in bytes
   * @param groups how many groups
   * @param groupStep from one group to the next, in bytes
   * @param rowStep from one row of a group to the next, in bytes
   * @param sumsAt place of the sums, in bytes; best aligned like vectors
   */
  abstract void addRows(
      MemorySegment memory,
      long at,
      int groups,
      long groupStep,
      long rowStep,
      A factors,
      int from,
      int factorStep,
      MemorySegment sums,
      long sumsAt,
      int columns);

  /** The same with one row. */
  abstract void addRow(
      MemorySegment memory,
      long at,
      A factors,
      int from,
      MemorySegment sums,
      long sumsAt,
      int columns);

  /**
   * For columns of neighbouring elements: {@code sums[sumsAt + j * sumStep] += sum over p of
   * factors[from + p] * matrix[p][j]}.
   *
   * @param at place of the matrix, in bytes
   * @param columnStep from one of the columns to the next, in bytes
   * @param columns four are summed together
   */
  abstract void addDots(
      MemorySegment memory,
      long at,
      long columnStep,
      A factors,
      int from,
      int depth,
      A sums,
      int sumsAt,
      int sumStep,
      int columns);
}
