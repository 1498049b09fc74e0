package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.TurnedMatrix;
import org.relaxvm.backendcpu.vector.VectorChoice;

/** Turns tiles for generated code. Thread-safe. */
public final class TileTranspose {
  /** Null where vector code was not chosen. */
  private static final @Nullable BlockMoves MOVES =
      VectorChoice.get().vectors() ? new VectorBlockMoves() : null;

  private TileTranspose() {}

  /**
   * Copies {@code [columns, rows]} turned to {@code [rows, columns]}: element {@code i} of row
   * {@code j} of what is read becomes element {@code j} of row {@code i} of what is written. In
   * rows, elements are adjacent. Rows that are written may overlap: then later ones win. What is
   * read must not overlap what is written.
   *
   * @param fromAt where the first element is, in bytes
   * @param fromStep the distance of the rows read in bytes, of any sign
   * @param toStep the distance of the rows written in bytes, of any sign
   * @param rows that are written; with none or fewer nothing happens
   * @param columns that are written
   * @param bytes of an element: 1, 2, 4 or 8
   * @throws IndexOutOfBoundsException when an element is outside of its memory
   */
  public static void run(
      MemorySegment from,
      long fromAt,
      long fromStep,
      MemorySegment to,
      long toAt,
      long toStep,
      long rows,
      long columns,
      int bytes) {
    BlockMoves moves = MOVES;
    if (moves != null && Math.abs(toStep) >= columns * bytes && moves.fit(from, to)) {
      int side = moves.side(bytes, Math.min(rows, columns));
      if (side > 0) {
        moves.turnAll(
            side, new TurnedMatrix(bytes, from, fromAt, fromStep, to, toAt, toStep, columns, rows));
        return;
      }
    }
    for (long i = 0; i < rows; i++) {
      Copies.run(bytes, from, fromAt + i * bytes, fromStep, to, toAt + i * toStep, bytes, columns);
    }
  }
}
