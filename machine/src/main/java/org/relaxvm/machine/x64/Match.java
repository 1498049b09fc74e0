package org.relaxvm.machine.x64;

import org.jspecify.annotations.Nullable;

/**
 * A form that given operands fit.
 *
 * @param form the form
 * @param length the vector length in bits
 * @param size the size of an operation on general-purpose registers in bits
 */
record Match(Form form, int length, int size) {

  /** The form with the sizes of the operands, or null if they do not fit it. */
  static @Nullable Match of(Form form, Operand[] operands) {
    if (operands.length != form.kinds().size()) {
      return null;
    }
    Match match = new Match(form, lengthOf(form, operands), sizeOf(form, operands));
    for (int i = 0; i < operands.length; i++) {
      if (!match.fits(i, operands[i])) {
        return null;
      }
    }
    return match;
  }

  private static int lengthOf(Form form, Operand[] operands) {
    int fixed = 128;
    boolean isFlexible = false;
    for (int i = 0; i < operands.length; i++) {
      Kind kind = form.kinds().get(i);
      isFlexible |= kind.isLength();
      if (kind.isLength() && operands[i] instanceof Vector vector) {
        return vector.bits();
      }
      if (kind == Kind.VM
          && operands[i] instanceof Address address
          && address.index() instanceof Vector index) {
        return index.bits();
      }
      fixed = Math.max(fixed, kind.vectorBits(0));
    }
    if (isFlexible && operands[form.memoryOperand()] instanceof Address address) {
      return address.bytes() * 8;
    }
    return form.isLong() ? 256 : fixed;
  }

  private static int sizeOf(Form form, Operand[] operands) {
    for (int i = 0; i < operands.length; i++) {
      Kind kind = form.kinds().get(i);
      if (kind == Kind.R || kind == Kind.A) {
        if (operands[i] instanceof Gp gp) {
          return gp.bits();
        }
      }
    }
    int memory = form.memoryOperand();
    if (memory >= 0
        && form.kinds().get(memory) == Kind.R
        && operands[memory] instanceof Address address) {
      return address.bytes() * 8;
    }
    return 32;
  }

  private boolean fits(int index, Operand operand) {
    Kind kind = form.kinds().get(index);
    if (operand instanceof Vector vector) {
      return kind.vectorBits(length) == vector.bits() && (kind != Kind.W || length > 128);
    }
    if (operand instanceof Address address) {
      return fits(index, kind, address);
    }
    if (operand instanceof Gp gp) {
      boolean isNumber =
          (kind != Kind.A || gp.number() == 0) && (kind != Kind.CL || gp.number() == 1);
      boolean isSize = (kind != Kind.R && kind != Kind.A) || size == 32 || size == 64;
      return isNumber && isSize && kind.registerBits(size) == gp.bits();
    }
    return operand instanceof Immediate immediate
        ? kind.holds(immediate.value(), size)
        : kind == Kind.K;
  }

  private boolean fits(int index, Kind kind, Address address) {
    if (!form.mayBeMemory(index) || (kind.isLength() && length == 0)) {
      return false;
    }
    if (address.index() instanceof Vector indices) {
      boolean isIndex =
          (kind == Kind.VM && indices.bits() == length)
              || (kind == Kind.HM && indices.bits() == Math.max(128, length / 2));
      return isIndex && !address.isBroadcast();
    }
    if (kind == Kind.VM || kind == Kind.HM) {
      return false;
    }
    if (address.isBroadcast() && !(form.hasEvex() && form.tuple().hasBroadcast())) {
      return false;
    }
    if (kind == Kind.R && size != 32 && size != 64) {
      return false;
    }
    if (kind == Kind.W && length == 128) {
      return false;
    }
    int bytes = memoryBytes(address);
    if (kind == Kind.M && bytes == 0 && form.isLegacy() && address.bytes() * 8 == size) {
      return true;
    }
    return kind.statedBytes() == 0
        ? address.bytes() == 0 || address.bytes() == bytes || address.isBroadcast()
        : address.bytes() == bytes;
  }

  /** Bytes that the memory operand has; 0 if it is only an address. */
  int memoryBytes(Address address) {
    Kind kind = form.kinds().get(form.memoryOperand());
    if (kind.statedBytes() > 0) {
      return kind.statedBytes();
    }
    int registerBits = kind.registerBits(size);
    return registerBits > 0
        ? registerBits / 8
        : form.tuple().memoryBytes(length, address.isBroadcast());
  }
}
