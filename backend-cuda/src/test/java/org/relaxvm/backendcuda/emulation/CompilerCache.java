package org.relaxvm.backendcuda.emulation;

import java.nio.file.Path;
import org.relaxvm.backendsupport.cache.CacheSettings;
import org.relaxvm.backendsupport.cache.KernelCache;

/**
 * What compilers of this machine made of programs of tests, in this build and in earlier ones. A
 * key has the whole text of a program, the version of its compiler and all options.
 */
public final class CompilerCache {
  /** Environment variable with the folder that builds keep; without it nothing is kept. */
  private static final String VARIABLE = "RELAXVM_TEST_CACHE";

  private static final long LIMIT_BYTES = 1L << 30;

  private CompilerCache() {}

  /** Opens the cache of a compiler. */
  public static KernelCache open(String compiler) {
    String folder = System.getenv().getOrDefault(VARIABLE, "");
    return KernelCache.open(
        folder.isEmpty()
            ? CacheSettings.off()
            : CacheSettings.in(Path.of(folder, compiler), LIMIT_BYTES));
  }
}
