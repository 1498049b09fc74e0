package org.relaxvm.machine.arm64;

/**
 * A list of vector registers.
 *
 * @param count how many
 * @param multiplier what the number of the first is multiplied by to get the bits
 * @param kind what of them is meant
 */
record ListSlot(int count, int multiplier, Kind kind) implements Slot {

  /** What of the registers is meant. */
  enum Kind {
    /** All lanes; their size is that of the operation. */
    VECTORS,
    /** 16 bytes each. */
    TABLE,
    /** One element each. */
    ELEMENTS
  }

  private static final int Q = 30;
  private static final int S = 12;
  private static final int SIZE = 10;

  @Override
  public boolean isKind(Operand operand) {
    if (kind == Kind.ELEMENTS) {
      return operand instanceof ElementList list && list.count() == count && list.kind().isSingle();
    }
    return operand instanceof VectorList list
        && list.count() == count
        && (kind == Kind.VECTORS || list.arrangement() == Arrangement.B16);
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    return true;
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    return operands[index] instanceof ElementList list
        ? list.first() * multiplier | position(list)
        : ((VectorList) operands[index]).first() * multiplier;
  }

  /** The index, in the bits Q, S and size. */
  private static int position(ElementList list) {
    int offset = list.index() * list.kind().bytes();
    return (offset >>> 3) << Q | (offset >>> 2 & 1) << S | (offset & 3) << SIZE;
  }
}
