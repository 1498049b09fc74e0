package org.relaxvm.vmcore.dataflow;

/**
 * Whether a region runs in parallel: what is faster. The first runs, which compile kernels, are in
 * program order and not measured; then runs of both kinds alternate, and the shortest of each
 * counts. Measured again after some thousands of runs. Thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why is it measured whether parallel execution pays?"
 */
public final class ParallelChoice {
  private static final int WARM_UP = 3;
  private static final int RUNS_EACH = 6;
  private static final int AGAIN_AFTER = 4096;

  /** Below, a region does not pay for waking another thread. */
  private static final long LEAST_NANOS = 30_000;

  /** Parallel execution has to save a twentieth. */
  private static final double WORTH = 0.95;

  /** How a run is executed. */
  public enum Mode {
    /** In program order. */
    SERIAL,
    /** In program order, and its time is {@linkplain #add added}. */
    SERIAL_MEASURED,
    /** In parallel. */
    PARALLEL,
    /** In parallel, and its time is {@linkplain #add added}. */
    PARALLEL_MEASURED
  }

  private final boolean isMeasured;
  private int runs;
  private long serialNanos = Long.MAX_VALUE;
  private long parallelNanos = Long.MAX_VALUE;
  private volatile boolean isDecided;
  private volatile boolean isParallel;

  /**
   * A choice to be made.
   *
   * @param isMeasured false for parallel execution always
   */
  ParallelChoice(boolean isMeasured) {
    this.isMeasured = isMeasured;
    this.isDecided = !isMeasured;
    this.isParallel = !isMeasured;
  }

  /** Whether all runs are in program order, until it is measured again. */
  public boolean isSerial() {
    return isDecided && !isParallel;
  }

  /** How the run that begins now is executed. */
  public Mode next() {
    if (!isMeasured) {
      return Mode.PARALLEL;
    }
    synchronized (this) {
      runs++;
      if (isDecided) {
        if (runs >= AGAIN_AFTER) {
          isDecided = false;
          runs = WARM_UP;
          serialNanos = Long.MAX_VALUE;
          parallelNanos = Long.MAX_VALUE;
        }
        return isParallel ? Mode.PARALLEL : Mode.SERIAL;
      }
      if (runs <= WARM_UP) {
        return Mode.SERIAL;
      }
      return runs % 2 == 0 ? Mode.SERIAL_MEASURED : Mode.PARALLEL_MEASURED;
    }
  }

  /** Adds the time of a measured run. */
  public synchronized void add(Mode mode, long nanos) {
    if (isDecided) {
      return;
    }
    if (mode == Mode.SERIAL_MEASURED) {
      serialNanos = Math.min(serialNanos, nanos);
    } else {
      parallelNanos = Math.min(parallelNanos, nanos);
    }
    if (runs >= WARM_UP + 2 * RUNS_EACH || serialNanos < LEAST_NANOS) {
      isParallel = serialNanos >= LEAST_NANOS && parallelNanos < WORTH * serialNanos;
      isDecided = true;
      runs = 0;
    }
  }
}
