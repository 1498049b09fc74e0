package org.relaxvm.machine.x64;

import org.jspecify.annotations.Nullable;

/**
 * The numbers that an encoding consists of.
 *
 * @param reg modrm.reg: a register or the extension of the opcode
 * @param rm the register of modrm.rm or the one added to the opcode
 * @param vvvv the register of the VEX prefix
 * @param address the memory operand
 * @param hasModRm whether there is such a byte
 * @param needsRex whether a register is spl, bpl, sil or dil, which without REX are others
 */
record Fields(
    int reg, int rm, int vvvv, @Nullable Address address, boolean hasModRm, boolean needsRex) {

  static Fields of(Match match, Operand[] operands) {
    Form form = match.form();
    int reg = Math.max(0, form.extension());
    int rm = 0;
    int vvvv = 0;
    Address address = null;
    boolean hasModRm = form.extension() >= 0;
    boolean needsRex = false;
    for (int i = 0; i < operands.length; i++) {
      Operand operand = operands[i];
      needsRex |= operand instanceof Gp gp && gp.bits() == 8 && gp.number() >= 4;
      switch (form.roles().charAt(i)) {
        case 'R' -> {
          reg = number(operand);
          hasModRm = true;
        }
        case 'M' -> {
          hasModRm = true;
          if (operand instanceof Address memory) {
            address = memory;
          } else {
            rm = number(operand);
          }
        }
        case 'O' -> rm = number(operand);
        case 'V' -> vvvv = number(operand);
        default -> {}
      }
    }
    return new Fields(reg, rm, vvvv, address, hasModRm, needsRex);
  }

  private static int number(Operand operand) {
    if (operand instanceof Vector vector) {
      return vector.number();
    }
    if (operand instanceof Gp gp) {
      return gp.number();
    }
    if (operand instanceof Mask mask) {
      return mask.number();
    }
    throw new IllegalStateException("no register: " + operand);
  }

  /** The number of the index register, or -1. */
  int indexNumber() {
    return address == null || address.index() == null ? -1 : number(address.index());
  }

  /** The number of the vector of indices, or -1. */
  int indexVector() {
    return address != null && address.index() instanceof Vector vector ? vector.number() : -1;
  }

  /** Bit 3 of the index register. */
  int indexBit() {
    return indexNumber() < 0 ? 0 : indexNumber() >>> 3 & 1;
  }

  /** Bit 3 of the base register, or of the register in modrm.rm. */
  int rmBit() {
    if (address == null) {
      return rm >>> 3 & 1;
    }
    return address.base() == null ? 0 : address.base().number() >>> 3;
  }
}
