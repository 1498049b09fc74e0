package org.relaxvm.backendcpu.codegen;

/**
 * Steps of loops that the JIT compiler is to leave as they are. Of a loop whose step it knows it
 * checks all that the loop reaches in front, which takes longer than a few large turns, and it
 * writes several iterations in one and sorts what they read.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why do sum loops hide the stride of their blocks?"
 */
public final class HiddenStep {
  /** Elements of arrays are no constants to the JIT compiler. */
  private static final int[] NOTHING = {0};

  private HiddenStep() {}

  /** The same number. */
  public static int of(int step) {
    return step + NOTHING[0];
  }
}
