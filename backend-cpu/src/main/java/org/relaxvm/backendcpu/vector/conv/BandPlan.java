package org.relaxvm.backendcpu.vector.conv;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.kernel.Convolution;

/**
 * How a convolution is cut into units of work: a band of rows of one group of one image, and some
 * blocks of output channels. Bands fit into a part of the second cache; there are so many units
 * that threads have enough to do, but not so many that copying the image takes long.
 *
 * @param layout of a band
 * @param images how many there are
 * @param groups of channels
 * @param bands of an image
 * @param totalRows rows of positions of an image
 * @param totalBlocks blocks of output channels of a group
 * @param unitBlocks how many of them are in a unit
 * @param work multiplications of all units
 */
record BandPlan(
    BandLayout layout,
    long images,
    long groups,
    long bands,
    long totalRows,
    int totalBlocks,
    int unitBlocks,
    double work) {
  /** Bytes of a band: a quarter of the second cache of small machines. */
  private static final int BAND_BYTES = 256 << 10;

  /** Positions of a band: their sums for a few channels are to stay in the second cache. */
  private static final int MOST_POSITIONS = 1024;

  /** Units per thread at most, so that a slow one does not keep the others waiting. */
  private static final int UNITS_PER_THREAD = 4;

  /** Multiplications of a unit that take so long that a copy of a band for each is no loss. */
  private static final long UNIT = 4 << 20;

  /** Positions of a band below which copying its edges costs too much. */
  private static final int LEAST_POSITIONS = 196;

  /** Multiplications that take about as long as waking a thread. */
  private static final long SMALL = 1 << 20;

  /**
   * One unit.
   *
   * @param band number of the band, among all of all groups and images
   */
  record Unit(
      long band, long image, long group, long firstRow, int rows, int firstBlock, int blockCount) {}

  /**
   * A plan.
   *
   * @param blocks blocks of output channels of a group
   * @param leastBlocks fewer are not worth a copy of the band
   */
  static BandPlan of(Convolution convolution, int blocks, int leastBlocks) {
    long images = convolution.out().dim(0);
    long groups = convolution.groups();
    long rows = convolution.out().dim(2);
    double work =
        (double) convolution.depth() * convolution.pixels() * convolution.out().dim(1) * images;
    WorkerPool workers = convolution.workers();
    double wanted =
        workers == null || workers.parallelism() == 1 || work < SMALL
            ? 1
            : workers.parallelism()
                * Math.clamp(work / workers.parallelism() / UNIT, 1, UNITS_PER_THREAD)
                / (images * groups);
    BandLayout whole = BandLayout.of(convolution.windows(), convolution.out().dim(3), rows);
    BandLayout layout = whole.withRows(bandRows(whole, convolution.inputsPerGroup(), wanted));
    long bands = Math.ceilDiv(rows, (long) layout.rows());
    long pieces =
        Math.clamp((long) Math.ceil(wanted / bands), 1, Math.max(1, blocks / leastBlocks));
    int unitBlocks = Math.toIntExact(Math.ceilDiv(blocks, pieces));
    return new BandPlan(layout, images, groups, bands, rows, blocks, unitBlocks, work);
  }

  private static int bandRows(BandLayout whole, long channels, double wanted) {
    long rows = whole.rows();
    long perRow = channels * whole.withRows(1).channel() / (1 + whole.vertical().reach());
    long edge = perRow * whole.vertical().reach();
    long most = Math.max(1, (BAND_BYTES / Float.BYTES - edge) / Math.max(1, perRow));
    most = Math.min(most, Math.ceilDiv((long) MOST_POSITIONS, whole.width()));
    long pieces = Math.max(1, Math.ceilDiv(rows, most));
    long least = Math.max(1, Math.ceilDiv((long) LEAST_POSITIONS, whole.width()));
    while (pieces < wanted && Math.ceilDiv(rows, pieces + 1) >= least) {
      pieces++;
    }
    return Math.toIntExact(Math.ceilDiv(rows, pieces));
  }

  private long unitsPerBand() {
    return Math.ceilDiv(totalBlocks, unitBlocks);
  }

  /** The unit of a number. */
  Unit unit(long number) {
    long band = number / unitsPerBand();
    long firstRow = band % bands * layout.rows();
    int firstBlock = (int) (number % unitsPerBand()) * unitBlocks;
    return new Unit(
        band,
        band / bands / groups,
        band / bands % groups,
        firstRow,
        (int) Math.min(layout.rows(), totalRows - firstRow),
        firstBlock,
        Math.min(unitBlocks, totalBlocks - firstBlock));
  }

  /** Runs a task over all units. */
  void run(@Nullable WorkerPool workers, WorkerPool.RangeTask task) {
    long units = images * groups * bands * unitsPerBand();
    if (workers == null || units == 1) {
      task.run(0, units);
    } else {
      workers.parallelFor(0, units, (long) Math.max(1, SMALL / Math.max(1, work / units)), task);
    }
  }
}
