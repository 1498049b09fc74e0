package org.relaxvm.api.parallel;

import java.util.function.BooleanSupplier;

/**
 * Waiting for what comes soon: for about as long as it takes to park a thread and wake it up again,
 * which is tens of microseconds where processors sleep in between, as in virtual machines. Other
 * threads that wait for a processor go first.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why do workers spin for a tenth of a millisecond before
 * they park?"
 */
final class Patience {
  private static final long NANOS = 100_000;
  private static final int SPINS = 32;

  private Patience() {}

  /** Waits a moment for a condition; whether it has come true. */
  static boolean awaits(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (true) {
      for (int i = 0; i < SPINS; i++) {
        if (condition.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
      if (System.nanoTime() - start > NANOS) {
        return false;
      }
      Thread.yield();
    }
  }
}
