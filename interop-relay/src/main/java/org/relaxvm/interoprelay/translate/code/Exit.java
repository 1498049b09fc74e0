package org.relaxvm.interoprelay.translate.code;

/** How a basic block ends. Blocks are named by their index in the graph. Immutable. */
public sealed interface Exit {
  /** Leaves the function with a register. */
  record Return(int register) implements Exit {}

  /** Goes on at a block. */
  record Jump(int target) implements Exit {}

  /**
   * Goes on at one of two blocks.
   *
   * @param condition a call without effects whose result decides; left out if the targets are equal
   */
  record Branch(Call condition, int ifTrue, int ifFalse) implements Exit {}
}
