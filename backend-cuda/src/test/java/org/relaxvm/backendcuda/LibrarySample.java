package org.relaxvm.backendcuda;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.relaxvm.api.kernels.KernelSignature;
import org.slf4j.LoggerFactory;

/**
 * Which calls of the kernel library are made: the first one of each kernel, and one of a hundred of
 * the others. With {@code -Drelaxvm.library=all} all of them.
 */
final class LibrarySample {
  private static final int ONE_OF = 100;

  private final boolean all;
  private final Random random;
  private final Set<String> seen = new HashSet<>();

  private LibrarySample(boolean all, long seed) {
    this.all = all;
    this.random = new Random(seed);
  }

  static LibrarySample ofSystemProperties() {
    boolean all = System.getProperty("relaxvm.library", "sample").equals("all");
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    if (!all) {
      LoggerFactory.getLogger(LibrarySample.class)
          .info("a sample of calls, -Drelaxvm.library=all makes all: -Drelaxvm.seed={}", seed);
    }
    return new LibrarySample(all, seed);
  }

  boolean includes(KernelSignature kernel) {
    boolean first = seen.add(kernel.name());
    boolean drawn = random.nextInt(ONE_OF) == 0;
    return all || first || drawn;
  }
}
