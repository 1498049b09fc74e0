package org.relaxvm.backendcuda.emulation;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** For tests that run kernels on the emulated device. */
public final class NeedsHostCompiler {
  private static final boolean IS_HERE = HostCompiler.isHere();

  private NeedsHostCompiler() {}

  /** Skips a test where there is no C++ compiler; fails it where there has to be one. */
  public static void require() {
    String reason = "the emulated GPU needs a C++ compiler, c++, which is not on PATH";
    if (!IS_HERE && System.getenv("RELAXVM_REQUIRE_C_COMPILER") != null) {
      throw new AssertionError(reason + ", though RELAXVM_REQUIRE_C_COMPILER is set");
    }
    if (!IS_HERE) {
      System.out.println("skipped: " + reason);
    }
    assumeTrue(IS_HERE, reason);
  }
}
