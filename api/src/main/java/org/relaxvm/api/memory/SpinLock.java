package org.relaxvm.api.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock for a handful of field accesses. Taking and leaving it without contention costs one atomic
 * operation, a third of a monitor's; who waits soon gives way to the thread that holds it. Not
 * reentrant.
 */
final class SpinLock extends AtomicBoolean {
  private static final long serialVersionUID = 1L;
  private static final int SPINS = 64;

  void lock() {
    int spins = 0;
    while (!compareAndSet(false, true)) {
      if (++spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  void unlock() {
    setRelease(false);
  }
}
