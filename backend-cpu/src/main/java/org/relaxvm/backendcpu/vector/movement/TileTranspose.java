package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Copies;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.vector.VectorChoice;

/** Turns tiles for generated code. Thread-safe. */
public final class TileTranspose {
  /** Null where vector code was not chosen. */
  private static final @Nullable BlockMoves MOVES =
      VectorChoice.get().vectors() ? new VectorBlockMoves() : null;

  /** So many lines that are read stay in the nearest cache until all of them is used. */
  private static final long NEAR = 64;

  private TileTranspose() {}

  /**
   * Copies {@code [columns, rows]} turned to {@code [rows, columns]}: element {@code i} of row
   * {@code j} of what is read becomes element {@code j} of row {@code i} of what is written. In
   * rows, elements lie side by side. Rows that are written may overlap: then later ones win. What
   * is read must not overlap what is written.
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
    boolean apart = Math.abs(toStep) >= columns * bytes;
    if (moves != null && apart && moves.fit(from, to)) {
      int side = moves.side(bytes, Math.min(rows, columns));
      if (side > 0) {
        moves.turnAll(bytes, side, from, fromAt, fromStep, to, toAt, toStep, columns, rows);
        return;
      }
    }
    // Rows that overlap go one after the other.
    long near = apart ? NEAR : Math.max(1, columns);
    for (long column = 0; column < columns; column += near) {
      long count = Math.min(near, columns - column);
      long start = fromAt + column * fromStep;
      long end = toAt + column * bytes;
      for (long i = 0; i < rows; i++) {
        Copies.run(bytes, from, start + i * bytes, fromStep, to, end + i * toStep, bytes, count);
      }
    }
  }
}
