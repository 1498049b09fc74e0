package org.relaxvm.backendcpu.kernel.normalization;

import java.lang.foreign.MemorySegment;

/**
 * Softmax of rows of neighbouring float32 elements in native memory, of which results may take the
 * places. Stateless and thread-safe.
 */
public interface SoftmaxRows {
  /**
   * Computes the softmax of rows.
   *
   * @param from offset of the first row, in bytes
   * @param nextFrom from one row to the next, in bytes
   * @param to offset of the first result
   * @param nextTo from one result to the next
   * @param count rows, at least 1
   * @param length elements of a row
   */
  void soften(
      MemorySegment x,
      long from,
      long nextFrom,
      MemorySegment out,
      long to,
      long nextTo,
      int count,
      int length);

  /** Computes the logarithm of the softmax of rows. */
  void softenToLogarithms(
      MemorySegment x,
      long from,
      long nextFrom,
      MemorySegment out,
      long to,
      long nextTo,
      int count,
      int length);
}
