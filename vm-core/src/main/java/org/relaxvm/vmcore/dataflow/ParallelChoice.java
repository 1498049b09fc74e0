package org.relaxvm.vmcore.dataflow;

import java.util.Arrays;

/**
 * Whether a region runs in parallel: what is faster. The first runs, which compile kernels, are in
 * program order and not measured. Then runs of both kinds are measured in pairs, at first one pair
 * after the other, later one in a while; the medians of the last pairs count, so that a moment of
 * other load changes nothing. Thread-safe.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why is it measured whether parallel execution pays?"
 */
public final class ParallelChoice {
  private static final int WARM_UP = 3;
  private static final int PAIRS = 5;
  private static final int PERIOD = 64;
  private static final int PERIOD_OF_CLEAR = 256;
  private static final int PERIOD_OF_SHORT = 4096;

  /** The ratio of times from which on the choice is measured less often. */
  private static final double CLEAR = 1.2;

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
  private final long[] serialNanos = new long[PAIRS];
  private final long[] parallelNanos = new long[PAIRS];
  private int warmUp = WARM_UP;
  private int pairs;
  private boolean isWithinPair;
  private volatile int untilPair;
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

  /** Whether runs are in program order, but for those that are measured. */
  public boolean isSerial() {
    return isDecided && !isParallel;
  }

  /** Whether the run that begins now is in program order and not measured. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // it does not matter which run is measured
  public boolean isSerialNow() {
    if (!isSerial() || untilPair <= 0) {
      return false;
    }
    untilPair--;
    return true;
  }

  /** How the run that begins now is executed. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // see above
  public Mode next() {
    if (!isMeasured) {
      return Mode.PARALLEL;
    }
    synchronized (this) {
      if (warmUp > 0) {
        warmUp--;
        return Mode.SERIAL;
      }
      if (isWithinPair) {
        isWithinPair = false;
        return Mode.PARALLEL_MEASURED;
      }
      if (untilPair > 0) {
        untilPair--;
        return isParallel ? Mode.PARALLEL : Mode.SERIAL;
      }
      isWithinPair = true;
      return Mode.SERIAL_MEASURED;
    }
  }

  /** Adds the time of a measured run. */
  public synchronized void add(Mode mode, long nanos) {
    if (mode == Mode.SERIAL_MEASURED) {
      serialNanos[pairs % PAIRS] = nanos;
      if (nanos < LEAST_NANOS) {
        isWithinPair = false;
        decide(false, PERIOD_OF_SHORT);
      }
    } else {
      parallelNanos[pairs % PAIRS] = nanos;
      pairs++;
      if (pairs >= PAIRS) {
        double ratio = (double) median(parallelNanos) / median(serialNanos);
        decide(ratio < WORTH, ratio > CLEAR || ratio < 1 / CLEAR ? PERIOD_OF_CLEAR : PERIOD);
      }
    }
  }

  private void decide(boolean parallel, int period) {
    isParallel = parallel;
    isDecided = true;
    untilPair = period;
  }

  private static long median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
