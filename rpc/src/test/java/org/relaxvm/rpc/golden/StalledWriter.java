package org.relaxvm.rpc.golden;

import java.util.concurrent.atomic.AtomicLong;

/** A writer whose peer reads nothing. */
public final class StalledWriter {
  private static final long STILL_NANOS = 500_000_000;

  private StalledWriter() {}

  /** Waits until something was written, and nothing more is: the buffers are full. */
  public static void await(AtomicLong count) {
    long last = -1;
    long since = 0;
    while (last <= 0 || System.nanoTime() - since < STILL_NANOS) {
      if (count.get() != last) {
        last = count.get();
        since = System.nanoTime();
      }
      Thread.onSpinWait();
    }
  }
}
