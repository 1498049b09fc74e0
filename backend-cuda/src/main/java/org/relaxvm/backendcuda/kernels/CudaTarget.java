package org.relaxvm.backendcuda.kernels;

import java.util.List;

/**
 * An architecture, by its compute capability.
 *
 * @param major 9 of 9.0
 * @param minor 0 of 9.0
 */
public record CudaTarget(int major, int minor) {
  /**
   * What every compiler of programs is told, whatever else it needs: the language, that each
   * operation is rounded by itself, and that warnings are of no use to who did not write a program.
   */
  public static final List<String> OPTIONS =
      List.of("--std=c++17", "--fmad=false", "--disable-warnings");

  /** Both in one, such as 90. */
  public int number() {
    return 10 * major + minor;
  }

  /** As compilers call the machine code of it, such as {@code sm_90}. */
  public String cubin() {
    return "sm_" + major + minor;
  }

  /** As compilers call the intermediate code for it and all later ones: {@code compute_90}. */
  public String ptx() {
    return "compute_" + major + minor;
  }

  /** Whether it can do what an architecture can. */
  public boolean isAtLeast(int otherMajor, int otherMinor) {
    return major != otherMajor ? major > otherMajor : minor >= otherMinor;
  }
}
