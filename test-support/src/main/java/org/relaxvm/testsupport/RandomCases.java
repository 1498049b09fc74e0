package org.relaxvm.testsupport;

import java.util.stream.LongStream;

/**
 * The cases of a random test. Case {@code i} depends on the seed and on {@code i} alone, so {@code
 * -Drelaxvm.seed=} and {@code -Drelaxvm.case=} repeat a single one. Immutable.
 *
 * @param seed of all cases
 * @param first the number of the first case
 * @param count how many cases there are
 */
public record RandomCases(long seed, long first, long count) {
  private static final String SEED = "relaxvm.seed";
  private static final String CASE = "relaxvm.case";

  /**
   * The cases that the command line asks for: the one that {@code -Drelaxvm.case=} names, or all.
   * Without {@code -Drelaxvm.seed=} each run has another seed.
   *
   * @param count how many there are where none is named
   */
  public static RandomCases of(long count) {
    long seed = Long.getLong(SEED, System.nanoTime());
    Long single = Long.getLong(CASE);
    return single == null ? new RandomCases(seed, 0, count) : new RandomCases(seed, single, 1);
  }

  /** Whether one case is repeated, of which no statistics can be expected. */
  public boolean isSingle() {
    return count == 1;
  }

  /** The numbers of the cases. */
  public LongStream numbers() {
    return LongStream.range(first, first + count);
  }

  /** The options that repeat one case, at the effort of this run. */
  public String repeat(long number) {
    Effort effort = Effort.chosen();
    String more = effort == Effort.QUICK ? "" : " -D" + Effort.PROPERTY + "=" + effort;
    return "-D" + SEED + "=" + seed + " -D" + CASE + "=" + number + more;
  }

  /** How many there are, and the seed that repeats them. */
  @Override
  public String toString() {
    return count + " cases from " + first + ", -D" + SEED + "=" + seed;
  }
}
