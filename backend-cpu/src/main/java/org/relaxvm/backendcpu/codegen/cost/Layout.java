package org.relaxvm.backendcpu.codegen.cost;

import org.relaxvm.backendcpu.codegen.loops.Node;

/**
 * What the code of a loop in vectors consists of beside a vector at a time and what is left at the
 * end.
 *
 * @param group how many vectors a turn takes, of which there are sums of their own; 1 for no such
 *     turns
 * @param block how many vectors a turn before those takes; 1 for no such turns
 * @param hidden whether the JIT compiler is not to know the step of turns of several vectors
 */
public record Layout(int group, int block, boolean hidden) {
  private static final int BLOCK = 8;

  /**
   * The layout of a loop.
   *
   * @param operations the vector instructions of a turn, those in front of the loop left out
   * @param accesses neighbouring elements that a turn reads or writes, each counted once
   * @param pinned whether all of them are reached by address
   * @param wide whether all elements have at least 32 bits: narrower ones are made of several
   *     operations
   */
  public static Layout of(
      Node.Loop loop, int operations, int accesses, boolean pinned, boolean wide) {
    if (loop.mode() != Node.Mode.REDUCTION || operations > LaneCost.MOST_FOR_GROUPS) {
      return new Layout(1, 1, false);
    }
    int group = CodeSize.ACCUMULATORS;
    int vectors = BLOCK + group + 2;
    boolean block =
        pinned
            && wide
            && accesses == 1
            && InlineBudget.fits(vectors * accesses, vectors * operations, true);
    return new Layout(group, block ? BLOCK : 1, block);
  }
}
