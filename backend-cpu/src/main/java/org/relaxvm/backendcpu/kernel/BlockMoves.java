package org.relaxvm.backendcpu.kernel;

import java.lang.foreign.MemorySegment;

/** Moves blocks of elements. Thread-safe. */
public interface BlockMoves {
  /** Whether blocks can be moved between these memories. */
  boolean fit(MemorySegment from, MemorySegment to);

  /**
   * The rows and columns of a tile that is transposed at once.
   *
   * @param bytes of an element
   * @param shortestSide that a square has to fit
   * @return 0 where {@link #turnAll} is not to be used
   */
  int side(int bytes, long shortestSide);

  /**
   * Turns a matrix in such squares. The last squares reach back over what is transposed already, so
   * rows that are written must not overlap. With fewer rows or columns than a side they reach back
   * to in front of the matrix: there must be more of it on both sides.
   *
   * @param side as {@link #side} gave it
   */
  void turnAll(int side, TurnedMatrix matrix);

  /** The least bytes of a row that {@link #rows} copies. */
  int shortestRow();

  /**
   * Copies adjacent rows of bytes.
   *
   * @param bytes of a row
   * @param fromStep distance of the rows read, in bytes
   * @param toStep distance of the rows written, in bytes
   */
  void rows(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      int rows);
}
