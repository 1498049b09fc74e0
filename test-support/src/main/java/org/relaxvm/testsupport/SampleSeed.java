package org.relaxvm.testsupport;

import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The seed of samples of programs that are compiled for devices. It is that of the day: later
 * builds of a day find in caches what earlier ones compiled, and another day has another sample.
 */
public final class SampleSeed {
  private SampleSeed() {}

  /** The seed that {@code -Drelaxvm.seed=} gives, or that of the day in UTC. */
  public static long chosen() {
    return Long.getLong(RandomCases.SEED, LocalDate.now(ZoneOffset.UTC).toEpochDay());
  }
}
