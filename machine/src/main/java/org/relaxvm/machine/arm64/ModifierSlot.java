package org.relaxvm.machine.arm64;

/**
 * A shift or an extension of the operand before.
 *
 * @param kind which are possible
 */
record ModifierSlot(Kind kind) implements Slot {

  /** What a modifier may be. */
  enum Kind {
    /** lsl, lsr or asr. */
    SHIFT,
    /** lsl, lsr, asr or ror. */
    SHIFT_OR_ROTATION,
    /** An extension of 8, 16 or 32 bits, and a shift by 0 to 4. */
    EXTENSION,
    /** An extension of 64 bits, which is none, and a shift by 0 to 4. */
    EXTENSION_OF_64,
    /** lsl by a multiple of 16. */
    HALFWORD,
    /** lsl by 0 or 8. */
    BYTE_OF_2,
    /** lsl by 0, 8, 16 or 24. */
    BYTE_OF_4,
    /** msl by 8 or 16. */
    ONES
  }

  private static final int LARGEST_EXTENSION_SHIFT = 4;
  private static final int KIND_AT = 22;
  private static final int AMOUNT_AT = 10;
  private static final int EXTENSION_AT = 13;
  private static final int HALFWORD_AT = 21;
  private static final int BYTE_AT = 13;
  private static final int ONES_AT = 12;

  @Override
  public boolean isKind(Operand operand) {
    return operand instanceof Modifier;
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    Modifier modifier = (Modifier) operands[index];
    Modifier.Kind given = modifier.kind();
    int amount = modifier.amount();
    boolean isLsl = given == Modifier.Kind.LSL;
    return switch (kind) {
      case SHIFT -> given.ordinal() <= Modifier.Kind.ASR.ordinal() && amount < shape.gpBits();
      case SHIFT_OR_ROTATION ->
          given.ordinal() <= Modifier.Kind.ROR.ordinal() && amount < shape.gpBits();
      case EXTENSION -> given.isExtension() && !isOf64(given) && amount <= LARGEST_EXTENSION_SHIFT;
      case EXTENSION_OF_64 -> (isOf64(given) || isLsl) && amount <= LARGEST_EXTENSION_SHIFT;
      case HALFWORD -> isLsl && amount % 16 == 0 && amount < shape.gpBits();
      case BYTE_OF_2 -> isLsl && (amount == 0 || amount == 8);
      case BYTE_OF_4 -> isLsl && amount % 8 == 0 && amount < 32;
      case ONES -> given == Modifier.Kind.MSL && (amount == 8 || amount == 16);
    };
  }

  private static boolean isOf64(Modifier.Kind kind) {
    return kind == Modifier.Kind.UXTX || kind == Modifier.Kind.SXTX;
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    Modifier modifier = (Modifier) operands[index];
    int amount = modifier.amount();
    Modifier.Kind given =
        kind == Kind.EXTENSION_OF_64 && modifier.kind() == Modifier.Kind.LSL
            ? Modifier.Kind.UXTX
            : modifier.kind();
    return switch (kind) {
      case SHIFT, SHIFT_OR_ROTATION -> given.number() << KIND_AT | amount << AMOUNT_AT;
      case EXTENSION, EXTENSION_OF_64 -> given.number() << EXTENSION_AT | amount << AMOUNT_AT;
      case HALFWORD -> (amount / 16) << HALFWORD_AT;
      case BYTE_OF_2, BYTE_OF_4 -> (amount / 8) << BYTE_AT;
      case ONES -> (amount / 8 - 1) << ONES_AT;
    };
  }
}
