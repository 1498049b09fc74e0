package org.relaxvm.backendcpu.codegen.cost;

import org.relaxvm.backendcpu.codegen.loops.Node;

/**
 * What the code of a loop in vectors consists of beside a vector at a time and what is left at the
 * end.
 *
 * @param group how many vectors a turn takes, of which there are sums of their own; 1 for no such
 *     turns
 * @param block how many vectors a turn before those takes; 1 for no such turns
 * @param blocks whether turns of several vectors cut a slice out of the memory, which is checked
 *     once
 * @param sliced whether turns read and write in slices as long as the loop
 * @param apart whether what is left after whole vectors has a method of its own
 */
public record Layout(int group, int block, boolean blocks, boolean sliced, boolean apart) {
  private static final int BLOCK = 8;

  /**
   * The layout of a loop.
   *
   * @param operations the vector instructions of a turn, those in front of the loop left out
   * @param accesses neighbouring elements that a turn reads or writes, each counted once
   * @param slices those of them that every turn reaches for certain; 0 where none can be made
   * @param wide whether all elements have at least 32 bits: narrower ones are made of several
   *     operations
   */
  public static Layout of(Node.Loop loop, int operations, int accesses, int slices, boolean wide) {
    if (loop.mode() == Node.Mode.REDUCTION) {
      if (operations > LaneCost.MOST_FOR_GROUPS) {
        return new Layout(1, 1, false, false, false);
      }
      int group = CodeSize.ACCUMULATORS;
      int vectors = group + 2;
      if (accesses == 1
          && wide
          && InlineBudget.fits(BLOCK + vectors, 2 * slices, (BLOCK + vectors) * operations, true)) {
        return new Layout(group, BLOCK, slices > 0, false, false);
      }
      boolean blocks =
          slices > 0 && InlineBudget.fits(vectors * accesses, slices, vectors * operations, true);
      return new Layout(group, 1, blocks, false, false);
    }
    boolean sliced = slices > 0 && InlineBudget.fits(2 * accesses, slices, 2 * operations, false);
    boolean apart = slices > 0 && !sliced && InlineBudget.fits(accesses, slices, operations, false);
    return new Layout(1, 1, false, sliced || apart, apart);
  }
}
