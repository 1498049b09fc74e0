package org.relaxvm.testsupport;

import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * The seed of samples of programs that are compiled for devices. It is that of the day: later
 * builds of a day find in caches what earlier ones compiled, and another day has another sample.
 */
public final class SampleSeed {
  /** The bits of a seed that choose samples: enough for the days of 2,800 years. */
  private static final int BITS = 20;

  private SampleSeed() {}

  /** The sample of the seed that {@code -Drelaxvm.seed=} gives, or that of the day in UTC. */
  public static long chosen() {
    long given = Long.getLong(RandomCases.SEED, LocalDate.now(ZoneOffset.UTC).toEpochDay());
    return given & ((1L << BITS) - 1);
  }

  /**
   * The seed that {@code -Drelaxvm.seed=} gives, or another one in each run, which chooses the same
   * samples as this run: one option repeats both what is sampled and what is random.
   */
  public static long random() {
    return Long.getLong(RandomCases.SEED, System.nanoTime() << BITS | chosen());
  }
}
