package org.relaxvm.machine.arm64;

import org.jspecify.annotations.Nullable;

/**
 * An element of a vector register.
 *
 * @param multiplier what the number of the register is multiplied by to get the bits
 * @param kind its kind, or null for that of the operation
 * @param field where the index is
 */
record ElementSlot(int multiplier, Element.@Nullable Kind kind, Field field) implements Slot {

  /** Where the index is. */
  enum Field {
    /** Above the lowest one of five bits, whose position is the size. */
    FIVE_BITS,
    /** The upper of four bits, as many as the size needs. */
    FOUR_BITS,
    /** The bits H, L and M of a multiplication, of which M is a bit of the register otherwise. */
    HLM
  }

  private static final int FIVE_BITS_AT = 16;
  private static final int FOUR_BITS_AT = 11;
  private static final int H = 11;
  private static final int L = 21;
  private static final int M = 20;

  @Override
  public boolean isKind(Operand operand) {
    return operand instanceof Element element
        && (kind == null ? element.kind().isSingle() : element.kind() == kind)
        && (field != Field.HLM || element.kind().bytes() != 2 || element.number() < 16);
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    return kind != null || ((Element) operands[index]).kind().bytes() == shape.elementBytes();
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    Element element = (Element) operands[index];
    int bytes = element.kind().bytes();
    int position =
        switch (field) {
          case FIVE_BITS -> (2 * bytes * element.index()) << FIVE_BITS_AT;
          case FOUR_BITS -> (bytes * element.index()) << FOUR_BITS_AT;
          case HLM -> {
            int bits = element.index() * bytes / 2;
            yield (bits >>> 2 & 1) << H | (bits >>> 1 & 1) << L | (bits & 1) << M;
          }
        };
    return element.number() * multiplier | position;
  }
}
