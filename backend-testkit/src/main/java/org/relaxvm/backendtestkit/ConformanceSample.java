package org.relaxvm.backendtestkit;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.backendtestkit.corpus.KernelCase;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.SampleSeed;
import org.slf4j.LoggerFactory;

/**
 * What a device runs of the kit where each kernel is a program to build. At quick effort these are
 * some kernels of the corpus, and of the calls of the library the first one of a third of the
 * kernels and one of two hundred of the others. A seed chooses them, {@code -Drelaxvm.seed=}; it is
 * logged. {@code -Drelaxvm.effort=full} runs all.
 *
 * <p>For one class of tests; not thread-safe.
 */
public final class ConformanceSample {
  private static final int ONE_CALL_OF = 200;
  private static final int ONE_KERNEL_OF = 3;

  private final int oneKernelOf;
  private final boolean isComplete = Effort.chosen().isComplete();
  private final long seed = SampleSeed.chosen();
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

  /** Whether a kernel of the corpus is run. */
  public boolean includes(KernelCase kernel) {
    return isComplete || Math.floorMod((kernel.name() + seed).hashCode(), oneKernelOf) == 0;
  }

  /** Whether the next call of a kernel of the library is made. */
  public boolean includes(KernelSignature kernel) {
    boolean first =
        seen.add(kernel.name())
            && Math.floorMod((kernel.name() + seed).hashCode(), ONE_KERNEL_OF) == 0;
    boolean drawn = random.nextInt(ONE_CALL_OF) == 0;
    return isComplete || first || drawn;
  }

  /** What is run, and how to run it again, or all. */
  @Override
  public String toString() {
    if (isComplete) {
      return "all kernels of the corpus and all calls of the library, -Drelaxvm.seed=" + seed;
    }
    return "1 of %d kernels of the corpus, 1 of %d calls of the library, -Drelaxvm.seed=%d (-D%s=%s runs all)"
        .formatted(oneKernelOf, ONE_CALL_OF, seed, Effort.PROPERTY, Effort.FULL);
  }
}
