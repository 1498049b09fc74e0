package org.relaxvm.backendcpu.vector.gemm.tile;

import java.lang.foreign.MemorySegment;

/**
 * A tile four vectors wide for small products, which reads both matrices where they lie and writes
 * the sums to the output. Immutable and thread-safe.
 */
public interface WideTile {
  /** Columns of a tile. */
  int columns();

  /**
   * Multiplies: {@code c[i][j] = sum over p of a[i][p] * b[p][j]}. Places and distances are in
   * bytes; neighbours in a row of {@code b} and {@code c} are neighbours in memory. May write rows
   * twice, with the same sums.
   *
   * @param rows at least {@link Tile#lowRows()} of the tile that it stands in for
   * @param aRow from one row of the left matrix to the next
   * @param aStep from one element of a row of the left matrix to the next
   * @param columns a multiple of {@link #columns()}
   */
  void multiply(
      MemorySegment a,
      long aAt,
      long aRow,
      long aStep,
      int rows,
      MemorySegment b,
      long bAt,
      long bRow,
      int depth,
      int columns,
      MemorySegment c,
      long cAt,
      long cRow);
}
