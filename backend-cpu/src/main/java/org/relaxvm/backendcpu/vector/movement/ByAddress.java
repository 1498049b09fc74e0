package org.relaxvm.backendcpu.vector.movement;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.relaxvm.backendcpu.kernel.BlockMoves;
import org.relaxvm.backendcpu.kernel.TurnedMatrix;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/**
 * Turns matrices by address: what is reached is checked once for a matrix, not for each access. For
 * memory that {@link ProcessMemory#holds}. Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why is the in-register transpose loaded twice as a
 * class?"
 */
final class ByAddress {
  private static final SquareMoves SQUARES = Squares.byAddress();

  /** Sizes below keep products of sizes and steps far from overflow. */
  private static final long LARGEST = 1 << 20;

  private ByAddress() {}

  /** Whether a matrix can be turned by address. */
  static boolean fits(TurnedMatrix matrix) {
    return isStep(matrix.fromStep())
        && isStep(matrix.toStep())
        && isSize(matrix.rows())
        && isSize(matrix.columns())
        && ProcessMemory.holds(matrix.from(), matrix.to());
  }

  private static boolean isStep(long step) {
    return 0 <= step && step < Squares.LONGEST_STEP;
  }

  private static boolean isSize(long size) {
    return 0 < size && size < LARGEST;
  }

  /** Turns a matrix, as {@link BlockMoves#turnAll} says, of elements of 4 or 8 bytes. */
  static void turnAll(int side, TurnedMatrix matrix) {
    MemorySegment from = matrix.from();
    MemorySegment to = matrix.to();
    int bytes = matrix.bytes();
    long rows = matrix.rows();
    long columns = matrix.columns();
    SQUARES.turnAll(
        side,
        new TurnedMatrix(
            bytes,
            from,
            address(from, matrix.fromAt(), side, rows, matrix.fromStep(), columns, bytes),
            matrix.fromStep(),
            to,
            address(to, matrix.toAt(), side, columns, matrix.toStep(), rows, bytes),
            matrix.toStep(),
            rows,
            columns));
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(to);
  }

  /** The address of the first element of a matrix of which all squares are in a memory. */
  private static long address(
      MemorySegment memory, long at, int side, long rows, long step, long columns, int bytes) {
    long back = Math.max(0, side - rows) * step + Math.max(0, side - columns) * bytes;
    long size = (Math.max(side, rows) - 1) * step + Math.max(side, columns) * bytes;
    return back + ProcessMemory.reach(memory.address(), memory.byteSize(), at - back, size);
  }
}
