package org.relaxvm.interoprelay.proposal.build;

/** An instruction that jumps of one function refer to, before or after it is emitted. */
public final class RelayLabel {
  private static final int NOT_PLACED = -1;

  private final RelayFunctionBuilder owner;
  private int position = NOT_PLACED;

  RelayLabel(RelayFunctionBuilder owner) {
    this.owner = owner;
  }

  boolean isOf(RelayFunctionBuilder function) {
    return owner.equals(function);
  }

  boolean isPlaced() {
    return position != NOT_PLACED;
  }

  void place(int instruction) {
    position = instruction;
  }

  int position() {
    return position;
  }
}
