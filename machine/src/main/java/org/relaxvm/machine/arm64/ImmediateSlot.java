package org.relaxvm.machine.arm64;

/**
 * A constant.
 *
 * @param kind which constants are possible and where they are
 */
record ImmediateSlot(Kind kind) implements Slot {

  /** Constants that an instruction may have. */
  enum Kind {
    /** 12 bits, or 12 bits followed by 12 zeros. */
    ARITHMETIC,
    BITMASK,
    /** 16 bits at bit 5. */
    HALFWORD,
    /** 16 bits at bit 0. */
    LOW_HALFWORD,
    /** Four flags. */
    FLAGS,
    /** 5 bits of a conditional comparison. */
    FIVE_BITS,
    /** The number of a bit to test. */
    BIT,
    /** A number of bits in the field immr, or in imms. */
    IMMR,
    IMMS,
    /** A shift to the left in terms of a bit-field move. */
    SHIFT_LEFT,
    /** The lowest bit of a bit field that is inserted, or extracted; its width follows. */
    INSERT_AT,
    EXTRACT_AT,
    INSERT_WIDTH,
    EXTRACT_WIDTH,
    /** Shifts of vectors: to the left from 0 on, to the right from 1 on. */
    VECTOR_LEFT,
    VECTOR_RIGHT,
    /** Bits of a shift of a 64-bit scalar. */
    SCALAR_LEFT,
    SCALAR_RIGHT,
    /** The first byte of two concatenated vectors. */
    BYTE_INDEX,
    /** 8 bits of a vector move, three and five. */
    EIGHT_BITS,
    /** 64 bits of which each byte is 0 or 255, one bit a byte. */
    BYTE_MASK,
    ZERO,
    /** A multiple of 4096 of 33 bits, signed. */
    PAGES,
    /** A float: zero, or the eight bits of a scalar move, or of a vector move. */
    FLOAT_ZERO,
    FLOAT_SCALAR,
    FLOAT_VECTOR
  }

  private static final int PAGE = 12;
  private static final int SCALAR_AT = 13;

  /** Eight bits at bit 16, three of them, and at bit 5. */
  static int split8(int value) {
    return value >>> 5 << 16 | (value & 0x1F) << 5;
  }

  @Override
  public boolean isKind(Operand operand) {
    return switch (kind) {
      case FLOAT_ZERO ->
          operand instanceof FloatImmediate constant
              && Double.doubleToRawLongBits(constant.value()) == 0;
      case FLOAT_SCALAR, FLOAT_VECTOR ->
          operand instanceof FloatImmediate constant && constant.isEncodable();
      default -> operand instanceof Immediate;
    };
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    if (!(operands[index] instanceof Immediate immediate)) {
      return true;
    }
    long value = immediate.value();
    int size = shape.gpBits();
    return switch (kind) {
      case ARITHMETIC -> immediate.isArithmetic();
      case BITMASK -> immediate.isBitmask(size);
      case HALFWORD, LOW_HALFWORD -> isBelow(value, 1 << 16);
      case FLAGS -> isBelow(value, 16);
      case FIVE_BITS -> isBelow(value, 32);
      case BIT, IMMR, IMMS, SHIFT_LEFT, INSERT_AT, EXTRACT_AT -> isBelow(value, size);
      case INSERT_WIDTH, EXTRACT_WIDTH ->
          operands[index - 1] instanceof Immediate lowest
              && value >= 1
              && isBelow(value, size + 1)
              && lowest.value() + value <= size;
      case VECTOR_LEFT -> isBelow(value, 8 * shape.elementBytes());
      case VECTOR_RIGHT -> isBelow(value - 1, 8 * shape.elementBytes());
      case SCALAR_LEFT -> isBelow(value, 64);
      case SCALAR_RIGHT -> isBelow(value - 1, 64);
      case BYTE_INDEX -> isBelow(value, shape.bytes());
      case EIGHT_BITS -> isBelow(value, 256);
      case BYTE_MASK -> (value & 0x0101_0101_0101_0101L) * 0xFF == value;
      case ZERO -> value == 0;
      case PAGES -> value << (64 - PAGE) == 0 && value >= -1L << 32 && value < 1L << 32;
      case FLOAT_ZERO, FLOAT_SCALAR, FLOAT_VECTOR -> true;
    };
  }

  private static boolean isBelow(long value, int limit) {
    return value >= 0 && value < limit;
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    if (operands[index] instanceof FloatImmediate constant) {
      return switch (kind) {
        case FLOAT_SCALAR -> constant.encoding() << SCALAR_AT;
        case FLOAT_VECTOR -> split8(constant.encoding());
        default -> 0;
      };
    }
    Immediate immediate = (Immediate) operands[index];
    long constant = immediate.value();
    int value = (int) constant;
    int size = shape.gpBits();
    return switch (kind) {
      case ARITHMETIC -> value < 1 << 12 ? value << 10 : 1 << 22 | value >>> 12 << 10;
      case BITMASK -> immediate.bitmask(size).orElseThrow() << 10;
      case HALFWORD -> value << 5;
      case LOW_HALFWORD, FLAGS -> value;
      case FIVE_BITS, IMMR -> value << 16;
      case IMMS -> value << 10;
      case BIT -> value >>> 5 << 31 | (value & 0x1F) << 19;
      case SHIFT_LEFT -> (size - value) % size << 16 | (size - 1 - value) << 10;
      case INSERT_AT -> (size - value) % size << 16;
      case EXTRACT_AT -> value << 16;
      case INSERT_WIDTH -> (value - 1) << 10;
      case EXTRACT_WIDTH -> ((int) ((Immediate) operands[index - 1]).value() + value - 1) << 10;
      // The form has the size of an element in the same field.
      case VECTOR_LEFT, SCALAR_LEFT -> value << 16;
      case VECTOR_RIGHT -> (8 * shape.elementBytes() - value) << 16;
      case SCALAR_RIGHT -> (64 - value) << 16;
      case BYTE_INDEX -> value << 11;
      case EIGHT_BITS -> split8(value);
      case BYTE_MASK -> split8(byteMask(constant));
      case ZERO, FLOAT_ZERO, FLOAT_SCALAR, FLOAT_VECTOR -> 0;
      case PAGES -> {
        int pages = (int) (constant >> PAGE);
        yield (pages & 3) << 29 | (pages >>> 2 & 0x7FFFF) << 5;
      }
    };
  }

  private static int byteMask(long value) {
    int mask = 0;
    for (int i = 0; i < 8; i++) {
      mask |= (int) (value >>> (8 * i) & 1) << i;
    }
    return mask;
  }
}
