package org.relaxvm.backendvulkan;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendvulkan.driver.DeviceCalls;

/**
 * The timestamps of one batch of commands: two for each, written before and after it. Read once,
 * when the batch is done: either by who wants to know, or before its queries are used again.
 *
 * <p>Thread-safe.
 */
final class BatchTimes {
  private final DeviceCalls calls;
  private final long pool;
  private int written;
  private long @Nullable [] ticks;
  private boolean closed;

  BatchTimes(DeviceCalls calls, long pool) {
    this.calls = calls;
    this.pool = pool;
  }

  /** The number of the next timestamp. */
  synchronized int next() {
    return written++;
  }

  /**
   * Reads the timestamps if that was not done yet; the batch is done.
   *
   * @return false when they cannot be read any more
   */
  synchronized boolean read() {
    if (ticks == null && !closed) {
      ticks = calls.queryResults(pool, written);
    }
    return ticks != null;
  }

  /** A timestamp that was read. */
  synchronized long ticks(int index) {
    if (ticks == null) {
      throw new IllegalStateException("the timestamps of a batch were not read");
    }
    return ticks[index];
  }

  /** The queries are used by others from now on. */
  synchronized void close() {
    closed = true;
  }
}
