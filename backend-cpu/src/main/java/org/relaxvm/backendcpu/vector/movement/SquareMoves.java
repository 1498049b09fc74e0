package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.TurnedMatrix;

/** Transposes square tiles of as many rows as columns. Thread-safe. */
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
   * Turns a matrix, as {@link BlockMoves#turnAll} says, along its longer side: all of the shorter
   * one is transposed before the next step, so that whole runs of lines are read or written, of
   * which the CPU fetches the next ones by itself.
   */
  default void turnAll(int side, TurnedMatrix matrix) {
    boolean down = matrix.rows() > matrix.columns();
    long steps = Math.max(matrix.rows(), matrix.columns());
    long width = Math.min(matrix.rows(), matrix.columns());
    for (long i = 0; i < steps; i += side) {
      long along = Math.min(i, steps - side);
      for (long j = 0; j < width; j += side) {
        long across = Math.min(j, width - side);
        long row = down ? along : across;
        long column = down ? across : along;
        turn(
            matrix.bytes(),
            matrix.from(),
            matrix.fromAt() + row * matrix.fromStep() + column * matrix.bytes(),
            matrix.fromStep(),
            matrix.to(),
            matrix.toAt() + column * matrix.toStep() + row * matrix.bytes(),
            matrix.toStep());
      }
    }
  }
}
