package org.relaxvm.backendcpu.vector.gemm;

import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * How a product is cut.
 *
 * <p>The output is cut into units, which threads compute independently of each other. A unit goes
 * through the inner dimension in blocks. For each, it packs its columns of the right matrix, then
 * goes through its rows in blocks that it copies, and multiplies each strip of rows with each panel
 * of columns. So a block of rows and a panel stay in the second cache, all panels of the unit in
 * the third, and the tile's sums in registers. Blocks of the inner dimension are as long as that
 * allows, and as a tile takes: between two of them the sums go through memory.
 *
 * <p>Every unit packs for itself. That is repeated work, but it is less than a hundredth of the
 * products of a unit of full size, and no thread ever waits for another.
 *
 * @param unitRows rows of a unit
 * @param unitColumns columns of a unit
 * @param blockRows rows that are copied at once
 * @param blockDepth of the inner dimension
 */
record GemmPlan(int unitRows, int unitColumns, int blockRows, int blockDepth) {
  /** Bytes of a block of rows: most of the second cache of small machines. */
  private static final int ROW_BYTES = 384 << 10;

  /** Panels of a unit. */
  private static final int PANELS = 32;

  /** Rows of a unit whose sums wait in memory of their own until they are whole. */
  private static final int STAGED_ROWS = 240;

  /** Below these a unit packs too often. */
  private static final int LEAST_ROWS = 96;

  private static final int LEAST_PANELS = 2;

  /** Units per thread, so that a slow one does not keep the others waiting. */
  private static final int UNITS_PER_THREAD = 4;

  /** Products that take about as long as waking a thread. */
  private static final long SMALL = 1 << 20;

  static GemmPlan of(
      Tile<?> tile, long m, long n, long k, long batches, int threads, boolean staged) {
    int depth = blockDepth(k);
    long columns = even(n, PANELS * tile.columns(), tile.columns());
    long rows = staged ? even(m, STAGED_ROWS, tile.rows()) : Math.min(m, Integer.MAX_VALUE / 2);
    if (threads > 1 && (double) m * n * k * batches > SMALL) {
      double wanted = (double) threads * UNITS_PER_THREAD / batches;
      int leastColumns = LEAST_PANELS * tile.columns();
      while (Math.ceilDiv(m, rows) * (double) Math.ceilDiv(n, columns) < wanted) {
        if ((columns >= rows && columns > leastColumns) || columns > 2L * leastColumns) {
          columns = even(columns, Math.ceilDiv(columns, 2), tile.columns());
        } else if (rows > LEAST_ROWS) {
          rows = even(rows, Math.ceilDiv(rows, 2), tile.rows());
        } else {
          break;
        }
      }
    }
    int blockRows = even(rows, ROW_BYTES / (Tile.ROW_STEP * tile.codec().bytes()), tile.rows());
    return new GemmPlan((int) rows, (int) columns, (int) Math.min(rows, blockRows), depth);
  }

  /** The depth of the blocks of an inner dimension. */
  static int blockDepth(long k) {
    return even(k, Tile.MOST_DEPTH, 1);
  }

  /** How many units are worth a thread. */
  long grain(long k) {
    return Math.max(1, SMALL / Math.max(1, (long) unitRows * unitColumns * k));
  }

  /** The length of pieces of about the same length, multiples of a step, at most a bound. */
  private static int even(long whole, long bound, int step) {
    long most = Math.max(step, bound / step * step);
    long pieces = Math.max(1, Math.ceilDiv(whole, most));
    return (int) (Math.ceilDiv(Math.ceilDiv(whole, pieces), step) * step);
  }
}
