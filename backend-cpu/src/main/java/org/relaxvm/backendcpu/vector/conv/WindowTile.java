package org.relaxvm.backendcpu.vector.conv;

/**
 * The innermost piece of a convolution: sums for a few output channels at some neighbouring
 * positions, as many as the registers of the machine hold. It multiplies rows of weights with
 * pieces of a band, which an array of offsets leads to. Immutable and thread-safe.
 */
abstract class WindowTile {
  /** Rows up to which a tile of so many rows is computed, and one row alone. */
  static final int LOW = 4;

  private static final int LOW_VECTORS = 2;
  private static final int SINGLE_VECTORS = 8;

  private final int rows;
  private final int tallRows;
  private final int vectors;
  private final int lanes;

  WindowTile(int rows, int tallRows, int vectors, int lanes) {
    this.rows = rows;
    this.tallRows = tallRows;
    this.vectors = vectors;
    this.lanes = lanes;
  }

  /** Rows to be computed at once where so many are left. */
  final int rows(int left) {
    return left > LOW ? rows : left > 1 ? LOW : 1;
  }

  /** Rows of a tile of two vectors to be computed at once where so many are left. */
  final int pairRows(int left) {
    return left <= LOW ? LOW : left <= rows ? rows : tallRows;
  }

  /** Columns of a tile of two vectors. */
  final int pairColumns() {
    return 2 * lanes;
  }

  /** Positions that are computed at once for so many rows. */
  final int columns(int rowCount) {
    if (rowCount == 1) {
      return SINGLE_VECTORS * lanes;
    }
    return (rowCount <= LOW ? LOW_VECTORS : vectors) * lanes;
  }

  /** How many places are needed for so many positions. */
  final int places(int positions) {
    return Math.ceilDiv(positions, lanes) * lanes + (SINGLE_VECTORS - 1) * lanes;
  }

  /**
   * Computes sums: {@code c[cAt + i * cRow + j] = sum over p of a[aAt + i * aRow + p] * b[bAt +
   * offsets[p] + j]}, for whole vectors of {@code j}.
   *
   * @param rows what {@link #rows} or {@link #pairRows} gave; all must be inside of the arrays
   * @param columns positions that matter; up to {@link #columns} may be read and written
   */
  abstract void multiply(
      float[] a,
      int aAt,
      int aRow,
      float[] b,
      int bAt,
      int[] offsets,
      int depth,
      int rows,
      int columns,
      float[] c,
      int cAt,
      int cRow);
}
