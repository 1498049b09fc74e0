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
   * For rows of neighbouring elements: {@code sums[sumsAt + j] += sum over p of factors[from + p] *
   * matrix[p][j]}.
   *
   * @param at place of the matrix, in bytes
   * @param rowStep from one row to the next, in bytes
   */
  abstract void addRows(
      MemorySegment memory,
      long at,
      long rowStep,
      A factors,
      int from,
      int depth,
      A sums,
      int sumsAt,
      int columns);

  /**
   * The same for columns of neighbouring elements.
   *
   * @param columnStep from one column to the next, in bytes
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
      int columns);
}
