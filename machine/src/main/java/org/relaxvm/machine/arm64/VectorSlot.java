package org.relaxvm.machine.arm64;

/**
 * A vector register.
 *
 * @param multiplier what its number is multiplied by to get the bits
 * @param lanes how its lanes relate to those of the operation
 * @param elementBytes bytes of an element, where they are fixed
 * @param bytes bytes of the vector, where they are fixed
 */
record VectorSlot(int multiplier, Lanes lanes, int elementBytes, int bytes) implements Slot {

  /** How the lanes relate to "T", those of the operation. */
  enum Lanes {
    /** T. */
    SAME,
    /** 128 bits of elements twice as large. */
    WIDE,
    /** As many bytes in elements twice as large. */
    PAIRS,
    /** Elements of a fixed size in vectors of 64 or 128 bits. */
    ELEMENTS,
    FIXED
  }

  @Override
  public boolean isKind(Operand operand) {
    return operand instanceof Vector vector
        && switch (lanes) {
          case FIXED ->
              vector.arrangement().elementBytes() == elementBytes
                  && vector.arrangement().bytes() == bytes;
          case ELEMENTS -> vector.arrangement().elementBytes() == elementBytes;
          case SAME, WIDE, PAIRS -> true;
        };
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    Arrangement given = ((Vector) operands[index]).arrangement();
    int size = given.elementBytes();
    return switch (lanes) {
      case SAME -> size == shape.elementBytes() && given.bytes() == shape.bytes();
      case WIDE -> size == 2 * shape.elementBytes() && given.bytes() == 16;
      case PAIRS -> size == 2 * shape.elementBytes() && given.bytes() == shape.bytes();
      case ELEMENTS -> given.bytes() == shape.bytes();
      case FIXED -> true;
    };
  }

  /** Bytes of an element of T if this vector has certain lanes; 0 if it says nothing about T. */
  int elementBytesOfForm(Arrangement given) {
    return switch (lanes) {
      case SAME -> given.elementBytes();
      case WIDE, PAIRS -> given.elementBytes() / 2;
      case ELEMENTS, FIXED -> 0;
    };
  }

  /** Whether the number of bytes is that of the operation. */
  boolean statesLength() {
    return lanes != Lanes.WIDE && lanes != Lanes.FIXED;
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    return ((Vector) operands[index]).number() * multiplier;
  }
}
