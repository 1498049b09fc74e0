package org.relaxvm.machine.arm64;

/**
 * A general-purpose register.
 *
 * @param multiplier what its number is multiplied by to get the bits
 * @param bits 32 or 64; 0 for the size of the operation, which the topmost bit holds
 * @param isStackPointer whether 31 is the stack pointer and not the zero register
 */
record GpSlot(int multiplier, int bits, boolean isStackPointer) implements Slot {

  @Override
  public boolean isKind(Operand operand) {
    return operand instanceof Gp gp
        && (bits == 0 || gp.bits() == bits)
        && (isStackPointer ? !gp.isZero() : !gp.isStackPointer());
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    return bits != 0 || ((Gp) operands[index]).bits() == shape.gpBits();
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    int size = bits == 0 && shape.gpBits() == 64 ? 1 << 31 : 0;
    return ((Gp) operands[index]).number() * multiplier | size;
  }
}
