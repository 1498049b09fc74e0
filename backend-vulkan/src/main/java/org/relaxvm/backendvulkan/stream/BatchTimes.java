package org.relaxvm.backendvulkan.stream;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.DeviceCalls;

/**
 * The timestamps of one batch of steps: two for each, written before and after it. Read once, when
 * the batch is done: either by who wants to know, or before its queries are used again.
 *
 * <p>Thread-safe.
 */
final class BatchTimes {
  private final DeviceCalls calls;
  private long pool;
  private int count;
  private long @Nullable [] ticks;
  private boolean open;

  BatchTimes(DeviceCalls calls) {
    this.calls = calls;
  }

  /** The batch is recorded: it writes its timestamps here. */
  synchronized void open(long queryPool, int steps) {
    pool = queryPool;
    count = 2 * steps;
    open = true;
  }

  /**
   * Reads the timestamps if that was not done yet; the batch is done.
   *
   * @return false when they cannot be read any more
   */
  synchronized boolean read() {
    if (ticks == null && open) {
      ticks = calls.queryResults(pool, count);
    }
    return ticks != null;
  }

  /** When a step began. */
  long start(int step) {
    return ticks(2 * step);
  }

  /** When a step was done. */
  long end(int step) {
    return ticks(2 * step + 1);
  }

  private synchronized long ticks(int index) {
    if (ticks == null) {
      throw new IllegalStateException("the timestamps of a batch were not read");
    }
    return ticks[index];
  }

  /** The queries are used by others from now on. */
  synchronized void close() {
    open = false;
  }
}
