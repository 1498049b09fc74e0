package org.relaxvm.machine.arm64;

/**
 * A label, as a distance from the instruction. The assembler writes it when all labels are bound.
 *
 * @param reach how far it reaches and where it is
 */
record LabelSlot(Reach reach) implements Slot {

  /** Distances that instructions hold. */
  enum Reach {
    /** 26 bits of words: 128 MiB. */
    WORDS26(26, 4),
    /** 19 bits of words: 1 MiB. */
    WORDS19(19, 4),
    /** 14 bits of words: 32 KiB. */
    WORDS14(14, 4),
    /** 21 bits of bytes: 1 MiB. */
    BYTES21(21, 1);

    private final int bits;
    private final int unit;

    Reach(int bits, int unit) {
      this.bits = bits;
      this.unit = unit;
    }

    int unit() {
      return unit;
    }

    int smallest() {
      return -unit << (bits - 1);
    }

    int largest() {
      return -smallest() - unit;
    }

    /** The bits of a distance in bytes that is in range. */
    int encode(int distance) {
      int value = distance / unit & (1 << bits) - 1;
      return switch (this) {
        case WORDS26 -> value;
        case WORDS19, WORDS14 -> value << 5;
        case BYTES21 -> (value & 3) << 29 | value >>> 2 << 5;
      };
    }
  }

  @Override
  public boolean isKind(Operand operand) {
    return operand instanceof Label;
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    return true;
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    return 0;
  }
}
