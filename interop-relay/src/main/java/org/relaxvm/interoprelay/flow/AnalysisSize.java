package org.relaxvm.interoprelay.flow;

import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Bounds the analyses that keep a set of registers for each basic block, so that a small file
 * cannot take much memory or time. Stateless.
 */
public final class AnalysisSize {
  /** 32 MiB for each set of sets. */
  private static final long MOST_BITS = 1L << 28;

  private AnalysisSize() {}

  /** What is wrong with a function of this size; empty when nothing is. */
  public static Optional<String> problem(int blocks, int registers) {
    return (long) blocks * registers <= MOST_BITS
        ? Optional.empty()
        : Optional.of(
            "the function is too large: it has "
                + blocks
                + " basic blocks and "
                + registers
                + " registers\n  expected: a product of the two of at most "
                + MOST_BITS
                + "\n  what to do: divide the function");
  }

  /**
   * Refuses a function that is too large.
   *
   * @param function its name
   * @throws InvalidProgramException a {@code ValueError} that says so
   */
  public static void require(String function, int blocks, int registers) {
    problem(blocks, registers)
        .ifPresent(
            problem -> {
              throw new InvalidProgramException(
                  ErrorKind.VALUE, "function " + function + ": " + problem);
            });
  }
}
