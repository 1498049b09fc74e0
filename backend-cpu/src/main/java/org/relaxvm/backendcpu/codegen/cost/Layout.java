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
   * @param accesses neighbouring elements that a turn reads or writes, each counted once
   * @param slices those of them that every turn reaches for certain; 0 where none can be made
   * @param wide whether all elements have at least 32 bits: narrower ones are made of several
   *     operations
   */
  public static Layout of(Node.Loop loop, int accesses, int slices, boolean wide) {
    int operations = LaneCost.of(loop.body());
    boolean reduction = loop.mode() == Node.Mode.REDUCTION;
    if (reduction && operations <= LaneCost.MOST_FOR_GROUPS) {
      int group = CodeSize.ACCUMULATORS;
      int vectors = group + 2;
      if (accesses == 1 && wide && fits(BLOCK + vectors, accesses, 2 * slices, operations)) {
        return new Layout(group, BLOCK, slices > 0, false, false);
      }
      boolean blocks = slices > 0 && fits(vectors, accesses, slices, operations);
      return new Layout(group, 1, blocks, false, false);
    }
    boolean sliced = slices > 0 && fits(2, accesses, slices, operations);
    boolean apart = slices > 0 && !sliced && !reduction && fits(1, accesses, slices, operations);
    return new Layout(1, 1, false, sliced || apart, apart);
  }

  private static boolean fits(int vectors, int accesses, int slices, int operations) {
    return InlineBudget.fits(vectors * accesses, slices, vectors * operations);
  }
}
