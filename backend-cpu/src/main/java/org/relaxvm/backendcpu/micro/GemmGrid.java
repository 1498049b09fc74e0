package org.relaxvm.backendcpu.micro;

/**
 * How the output is cut into units, which threads compute independently, and these into blocks that
 * fit the caches. The inner dimension is cut the same way whatever the threads, so results do not
 * depend on them.
 *
 * @param unitRows rows of a unit
 * @param unitColumns columns of a unit
 * @param blockColumns columns whose panels are in the second-level cache
 * @param blockDepth of the inner dimension
 */
record GemmGrid(long unitRows, long unitColumns, long blockColumns, long blockDepth) {
  /** Bytes of a row of a strip: a strip stays in the first-level cache. */
  private static final int DEPTH_BYTES = 2048;

  /** Bytes of the panels of a block: half of a small second-level cache. */
  private static final int PANEL_BYTES = 512 << 10;

  /** Rows of a unit, all of which are packed for one block of the inner dimension. */
  private static final int MOST_ROWS = 1008;

  private static final int LEAST_ROWS = 28;

  /** Sums of a unit that are not in the output. */
  private static final int STAGED_COLUMNS = 1024;

  private static final int STAGED_ROWS = 252;

  /** Units for each thread, so that a slow one does not keep the others waiting. */
  private static final int UNITS_PER_THREAD = 2;

  /** Products that take about as long as waking a thread. */
  private static final long SMALL = 1 << 20;

  static GemmGrid of(
      GemmCode code, long m, long n, long k, long batches, int threads, boolean isStaged) {
    long depth = blockDepth(k, code.element());
    int panel = Packing.panelColumns(code);
    long gridRows = parts(m, isStaged ? STAGED_ROWS : MOST_ROWS);
    long gridColumns = isStaged ? parts(n, STAGED_COLUMNS) : 1;
    if (threads > 1 && (double) m * n * k * batches > SMALL) {
      double wanted = (double) threads * UNITS_PER_THREAD / batches;
      while ((double) gridRows * gridColumns < wanted) {
        boolean canRows = m / (gridRows + 1) >= LEAST_ROWS;
        boolean canColumns = n / (gridColumns + 1) >= 2L * panel;
        if (canRows && (!canColumns || m / gridRows >= n / gridColumns)) {
          gridRows++;
        } else if (canColumns) {
          gridColumns++;
        } else {
          break;
        }
      }
    }
    long columns = multiple(part(n, gridColumns), panel);
    long most = Math.max(panel, PANEL_BYTES / (depth * code.element().bytes()) / panel * panel);
    long blockColumns = multiple(part(columns, parts(columns, most)), panel);
    return new GemmGrid(part(m, gridRows), columns, blockColumns, depth);
  }

  /** How many parts of at most so many. Small products are not worth a division. */
  private static long parts(long whole, long most) {
    return whole <= most ? 1 : Math.ceilDiv(whole, most);
  }

  private static long part(long whole, long parts) {
    return parts == 1 ? whole : Math.ceilDiv(whole, parts);
  }

  /** The next multiple of a power of two. */
  private static long multiple(long value, long step) {
    return (value + step - 1) & -step;
  }

  /** The depth of the blocks of an inner dimension, nearly equal ones. */
  static long blockDepth(long k, Element element) {
    return multiple(part(k, parts(k, DEPTH_BYTES / element.bytes())), 4);
  }

  /** How many units are worth a thread. */
  long grain(long k) {
    return Math.max(1, SMALL / Math.max(1, unitRows * unitColumns * k));
  }
}
