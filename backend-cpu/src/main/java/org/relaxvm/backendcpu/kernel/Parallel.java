package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.parallel.WorkerPool;

/** Cuts work into pieces that are worth a thread. */
public final class Parallel {
  /** Simple operations on elements below which a piece is not worth handing over. */
  private static final long PIECE = 1 << 15;

  private Parallel() {}

  /**
   * Runs a task over units of work.
   *
   * @param cost of one unit, in simple operations
   */
  public static void run(
      @Nullable WorkerPool workers, long units, long cost, WorkerPool.RangeTask task) {
    if (units <= 0) {
      return;
    }
    long grain = Math.max(1, PIECE / Math.max(1, cost));
    if (workers == null || units <= grain) {
      task.run(0, units);
    } else {
      workers.parallelFor(0, units, grain, task);
    }
  }
}
