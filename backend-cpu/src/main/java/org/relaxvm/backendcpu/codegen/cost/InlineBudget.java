package org.relaxvm.backendcpu.codegen.cost;

/**
 * How much a method with vector code may hold. HotSpot's C2 stops to inline calls once a method has
 * become 18,000 nodes ({@code NodeCountInliningCutoff}), and every vector after that is an object.
 * What a call becomes was counted with {@code PrintInlining} of JDK 25.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How is the layout of a vector loop chosen?"
 */
final class InlineBudget {
  private static final int MOST = 18_000;
  private static final int ACCESS = 680;
  private static final int OPERATION = 120;

  /** Folds the sums of a reduction and puts the result to its element. */
  private static final int FOLD = 2500;

  private InlineBudget() {}

  /**
   * Whether C2 inlines all of a method.
   *
   * @param accesses the vectors that are read and written
   * @param operations of vectors, accesses counted in
   * @param folds whether it reduces vectors to a number
   */
  static boolean fits(int accesses, int operations, boolean folds) {
    int nodes = accesses * ACCESS + (operations - accesses) * OPERATION;
    return nodes + (folds ? FOLD : 0) <= MOST;
  }
}
