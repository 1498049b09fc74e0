package org.relaxvm.backendcpu.codegen.cost;

import org.relaxvm.backendcpu.codegen.loops.Node;

/**
 * What the code of a loop in vectors consists of beside a vector at a time and what is left at the
 * end.
 *
 * @param group how many vectors an iteration takes, of which there are sums of their own; 1 for no
 *     such iterations
 * @param block how many vectors an iteration before those takes; 1 for no such iterations
 * @param hidden whether the JIT compiler is not to know the step of iterations of several vectors
 * @param wide whether all elements have at least 32 bits: narrower ones are made of several
 *     operations, and not every machine has masks for them
 * @param apart whether what is left after whole vectors has a method of its own
 */
public record Layout(int group, int block, boolean hidden, boolean wide, boolean apart) {
  private static final int BLOCK = 8;

  /**
   * The layout of a loop.
   *
   * @param operations the vector instructions of an iteration, those in front of the loop left out
   * @param accesses neighbouring elements that an iteration reads or writes, each counted once
   * @param pinned whether all of them are reached by address
   * @param wide whether all elements have at least 32 bits
   */
  public static Layout of(
      Node.Loop loop, int operations, int accesses, boolean pinned, boolean wide) {
    boolean reduces = loop.mode() == Node.Mode.REDUCTION;
    if (!reduces || operations > LaneCost.MOST_FOR_GROUPS) {
      boolean apart =
          !reduces
              && !InlineBudget.fits(2 * accesses, 2 * operations, false)
              && InlineBudget.fits(accesses, operations, false);
      return new Layout(1, 1, false, wide, apart);
    }
    int group = CodeSize.ACCUMULATORS;
    int vectors = BLOCK + group + 2;
    boolean block =
        pinned
            && wide
            && accesses == 1
            && InlineBudget.fits(vectors * accesses, vectors * operations, true);
    return new Layout(group, block ? BLOCK : 1, block, wide, false);
  }
}
