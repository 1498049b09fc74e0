package org.relaxvm.cli.bench;

import java.util.Arrays;

/**
 * What timing found, per call.
 *
 * @param calls number of timed calls, over all threads
 * @param minNanos the fastest call
 * @param medianNanos the median call
 * @param p99Nanos the call that 99 % are faster than
 * @param meanNanos the mean call
 * @param callsPerSecond calls of all threads together
 * @param instructions bytecode instructions that one call executes
 * @param allocatedBytes Java heap that one call allocates, on average
 * @param warmUp the calls before
 */
public record BenchResult(
    long calls,
    long minNanos,
    long medianNanos,
    long p99Nanos,
    double meanNanos,
    double callsPerSecond,
    long instructions,
    long allocatedBytes,
    WarmUp warmUp) {

  /** Time per instruction of the median call, in nanoseconds. */
  public double nanosPerInstruction() {
    return (double) medianNanos / Math.max(1, instructions);
  }

  static BenchResult of(
      long[] nanos, long wallNanos, long instructions, long allocatedBytesOfAll, WarmUp warmUp) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    double mean = Arrays.stream(sorted).average().orElse(0);
    return new BenchResult(
        sorted.length,
        sorted[0],
        quantile(sorted, 0.5),
        quantile(sorted, 0.99),
        mean,
        sorted.length * 1e9 / Math.max(1, wallNanos),
        instructions,
        Math.round((double) allocatedBytesOfAll / sorted.length),
        warmUp);
  }

  /** The smallest value that is not below the share {@code q} of all. */
  private static long quantile(long[] sorted, double q) {
    int rank = (int) Math.ceil(q * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }
}
