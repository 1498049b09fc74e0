package org.relaxvm.backendtestkit;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.slf4j.LoggerFactory;

/**
 * What a device runs of the kit where each kernel is a program to build: some kernels of the
 * corpus, and of the calls of the library the first one of each kernel and one of a hundred of the
 * others. A seed chooses them, {@code -Drelaxvm.seed=}; it is logged. {@code -Drelaxvm.kernels=all}
 * and {@code -Drelaxvm.library=all} run all.
 *
 * <p>For one class of tests; not thread-safe.
 */
public final class ConformanceSample {
  private static final int ONE_CALL_OF = 100;

  private final int oneKernelOf;
  private final boolean allKernels = isAll("relaxvm.kernels");
  private final boolean allCalls = isAll("relaxvm.library");
  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Set<String> seen = new HashSet<>();

  private ConformanceSample(int oneKernelOf) {
    this.oneKernelOf = oneKernelOf;
  }

  /**
   * A sample, which is logged.
   *
   * @param test whose it is
   * @param oneKernelOf of so many kernels of the corpus one is run, about
   */
  public static ConformanceSample of(Class<?> test, int oneKernelOf) {
    ConformanceSample sample = new ConformanceSample(oneKernelOf);
    LoggerFactory.getLogger(test).info("{}", sample);
    return sample;
  }

  private static boolean isAll(String property) {
    return System.getProperty(property, "sample").equals("all");
  }

  /** Whether a kernel of the corpus is run. */
  public boolean includes(KernelCase kernel) {
    return allKernels || Math.floorMod((kernel.name() + seed).hashCode(), oneKernelOf) == 0;
  }

  /** Whether the next call of a kernel of the library is made. */
  public boolean includes(KernelSignature kernel) {
    boolean first = seen.add(kernel.name());
    boolean drawn = random.nextInt(ONE_CALL_OF) == 0;
    return allCalls || first || drawn;
  }

  /** What is run, and how to run it again, or all. */
  @Override
  public String toString() {
    String kernels =
        allKernels
            ? "all kernels of the corpus"
            : "1 of " + oneKernelOf + " kernels of the corpus (-Drelaxvm.kernels=all runs all)";
    String calls =
        allCalls
            ? "all calls of the library"
            : "1 of " + ONE_CALL_OF + " calls of the library (-Drelaxvm.library=all makes all)";
    return kernels + ", " + calls + ", -Drelaxvm.seed=" + seed;
  }
}
