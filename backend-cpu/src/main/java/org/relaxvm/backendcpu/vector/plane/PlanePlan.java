package org.relaxvm.backendcpu.vector.plane;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.backendcpu.kernel.Parallel;
import org.relaxvm.backendcpu.kernel.Window;

/**
 * How work on planes is cut into units: some whole planes where they are small, else a band of rows
 * of one plane. What a unit reads stays in the first cache.
 *
 * @param window that slides vertically
 * @param images how many there are
 * @param channels planes of an image
 * @param totalRows rows of positions of a plane
 * @param unitChannels planes of a unit
 * @param unitRows rows of positions of a unit
 */
public record PlanePlan(
    Window window, long images, long channels, long totalRows, int unitChannels, int unitRows) {
  /** Elements that a unit reads: a third of the first cache of small machines. */
  private static final int ELEMENTS = 4096;

  /** Rows of positions that are worth reading the rows around them once more. */
  private static final int LEAST_ROWS = 8;

  /** Units per thread at least, so that a slow one does not keep the others waiting. */
  private static final int UNITS_PER_THREAD = 4;

  /** One unit; rows are rows of positions. */
  public record Unit(long image, long firstChannel, int channels, long firstRow, int rows) {}

  /**
   * A plan.
   *
   * @param width columns of the image
   * @param rows rows of positions of a plane, at least 1
   */
  public static PlanePlan of(
      Window window,
      long images,
      long channels,
      long width,
      long rows,
      @Nullable WorkerPool workers) {
    long plane = Math.max(1, window.input() * width);
    if (plane <= ELEMENTS && rows <= ELEMENTS) {
      long threads = workers == null ? 1 : workers.parallelism();
      long wanted = threads == 1 ? 1 : threads * UNITS_PER_THREAD;
      long most = Math.max(1, Math.ceilDiv(images * channels, wanted));
      long fitting = Math.max(1, ELEMENTS / 2 / Math.max(plane, rows));
      int unitChannels = (int) Math.min(channels, Math.min(fitting, most));
      return new PlanePlan(window, images, channels, rows, unitChannels, (int) rows);
    }
    long edge = (window.size() - 1) * window.dilation() + 1 - window.stride();
    long fitting = (ELEMENTS / Math.max(1, width) - edge) / window.stride();
    long most = Math.max(LEAST_ROWS, fitting / LEAST_ROWS * LEAST_ROWS);
    long bands = Math.ceilDiv(rows, most);
    long unitRows = Math.ceilDiv(Math.ceilDiv(rows, bands), LEAST_ROWS) * (long) LEAST_ROWS;
    return new PlanePlan(window, images, channels, rows, 1, (int) Math.min(rows, unitRows));
  }

  /** Bands of a plane. */
  public long bands() {
    return Math.ceilDiv(totalRows, (long) unitRows);
  }

  private long blocks() {
    return Math.ceilDiv(channels, (long) unitChannels);
  }

  /** The unit of a number. */
  public Unit unit(long number) {
    long plane = number / bands();
    long firstRow = number % bands() * unitRows;
    long firstChannel = plane % blocks() * unitChannels;
    return new Unit(
        plane / blocks(),
        firstChannel,
        (int) Math.min(unitChannels, channels - firstChannel),
        firstRow,
        (int) Math.min(unitRows, totalRows - firstRow));
  }

  /** The first row of the image that a unit meets. */
  public long firstInput(Unit unit) {
    return Math.clamp(window.place(unit.firstRow(), 0), 0, window.input());
  }

  /** How many rows of the image a unit meets, together with those between. */
  public int inputs(Unit unit) {
    long end = window.place(unit.firstRow() + unit.rows() - 1, window.size() - 1) + 1;
    return (int) Math.max(0, Math.min(end, window.input()) - firstInput(unit));
  }

  /** The most rows of the image that a unit meets. */
  public int mostInputs() {
    long span = (unitRows - 1) * window.stride() + (window.size() - 1) * window.dilation() + 1;
    return (int) Math.min(span, window.input());
  }

  /**
   * Runs a task over all units.
   *
   * @param cost of a position, in simple operations
   */
  public void run(
      @Nullable WorkerPool workers, double cost, long columns, WorkerPool.RangeTask task) {
    double perUnit = cost * columns * unitRows * unitChannels;
    Parallel.run(workers, images * blocks() * bands(), (long) perUnit, task);
  }
}
