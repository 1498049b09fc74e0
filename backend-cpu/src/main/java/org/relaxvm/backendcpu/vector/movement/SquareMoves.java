package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;

/** Turns squares of as many rows as columns. Thread-safe. */
interface SquareMoves {
  /**
   * Turns a square: element {@code j} of row {@code i} becomes element {@code i} of row {@code j}.
   *
   * @param bytes of an element
   * @param fromAt where the first element is, in bytes
   * @param fromStep distance of the rows read, in bytes
   * @param toStep distance of the rows written, in bytes
   */
  void turn(
      int bytes,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep);

  /**
   * Turns a matrix, as {@link org.relaxvm.backendcpu.kernel.BlockMoves#turnAll} says, along its
   * longer side: all of the shorter one is turned before the next step, so that whole runs of lines
   * are read or written, of which the CPU fetches the next ones by itself.
   */
  default void turnAll(
      int bytes,
      int side,
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      long rows,
      long columns) {
    boolean down = rows > columns;
    long steps = Math.max(rows, columns);
    long width = Math.min(rows, columns);
    for (long i = 0; i < steps; i += side) {
      long along = Math.min(i, steps - side);
      for (long j = 0; j < width; j += side) {
        long across = Math.min(j, width - side);
        long row = down ? along : across;
        long column = down ? across : along;
        turn(
            bytes,
            from,
            fromAt + row * fromStep + column * bytes,
            fromStep,
            to,
            toAt + column * toStep + row * bytes,
            toStep);
      }
    }
  }
}
