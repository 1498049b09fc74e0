package org.relaxvm.machine.arm64;

/**
 * The low bits of a vector register.
 *
 * @param multiplier what its number is multiplied by to get the bits
 * @param size which bits
 * @param bits their number if it is fixed
 */
record ScalarSlot(int multiplier, Size size, int bits) implements Slot {

  /** How many bits the register has. */
  enum Size {
    FIXED,
    /** Those of the floating-point operation: 16, 32 or 64. */
    FLOAT,
    /** Those of an element. */
    ELEMENT,
    /** Twice those of an element. */
    LONG
  }

  /** The position of the type of a floating-point operation. */
  private static final int TYPE = 22;

  @Override
  public boolean isKind(Operand operand) {
    return operand instanceof Scalar scalar
        && switch (size) {
          case FIXED -> scalar.bits() == bits;
          case FLOAT -> scalar.bits() >= 16 && scalar.bits() <= 64;
          case ELEMENT, LONG -> true;
        };
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    int given = ((Scalar) operands[index]).bits();
    return switch (size) {
      case FIXED -> true;
      case FLOAT -> given == shape.floatBits();
      case ELEMENT -> given == 8 * shape.elementBytes();
      case LONG -> given == 16 * shape.elementBytes();
    };
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    int type = 0;
    if (size == Size.FLOAT) {
      type = shape.floatBits() == 16 ? 3 : shape.floatBits() == 32 ? 0 : 1;
    }
    return ((Scalar) operands[index]).number() * multiplier | type << TYPE;
  }
}
