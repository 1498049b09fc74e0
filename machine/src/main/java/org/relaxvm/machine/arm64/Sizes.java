package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.List;

/**
 * The elements that vectors of a form may have, and where the opcode holds their size. Written as
 * {@code "size=BHSd"}: the field, and letters of elements, in lower case where vectors have 128
 * bits only; {@code "/64"} where they have 64 bits only.
 *
 * @param field where the size is
 * @param letters elements
 * @param isShort whether vectors have 64 bits only
 */
record Sizes(Field field, String letters, boolean isShort) {

  /** Where the size of an element is in the opcode. */
  enum Field {
    NONE,
    /** Two bits at bit 22. */
    SIZE,
    /** Two bits at bit 10. */
    SIZE10,
    /** One bit at bit 22, of 32-bit and 64-bit floats. */
    SZ,
    /** As {@link #SZ}; float16 has another opcode, of three registers of the same size. */
    FP3,
    /** As {@link #SZ}; float16 has another opcode, of two registers. */
    FP2,
    /** As {@link #SZ}; float16 has another opcode, of a register and an element. */
    FPX,
    /** The lowest one of the bits from 16 to 20. */
    IMM5,
    /** The highest one of the bits from 19 to 22. */
    IMMH,
    /** Bits 13 to 15 and 10, of structures of one element each. */
    LANE
  }

  private static final String LETTERS = "BHSD";

  static final Sizes NONE = new Sizes(Field.NONE, "", false);

  /** Whether vectors may have elements of a size. */
  boolean allow(Shape shape) {
    if (field == Field.NONE) {
      return true;
    }
    if (shape.elementBytes() == 0 || shape.elementBytes() > 8) {
      return false;
    }
    char letter = LETTERS.charAt(log2(shape));
    boolean isAnyLength = letters.indexOf(letter) >= 0;
    if (!isAnyLength && letters.indexOf(Character.toLowerCase(letter)) < 0) {
      return false;
    }
    return switch (shape.bytes()) {
      case 0 -> true;
      case 8 -> isAnyLength;
      default -> !isShort;
    };
  }

  private static int log2(Shape shape) {
    return Integer.numberOfTrailingZeros(shape.elementBytes());
  }

  /** Whether elements are of float16, whose arithmetic not every processor has. */
  boolean isHalf(Shape shape) {
    return switch (field) {
      case FP2, FP3, FPX -> shape.elementBytes() == 2;
      default -> false;
    };
  }

  /** The opcode for elements of a size. */
  int apply(int opcode, Shape shape) {
    int log2 = field == Field.NONE ? 0 : log2(shape);
    int sz = log2 == 3 ? 1 << 22 : 0;
    return switch (field) {
      case NONE -> opcode;
      case SIZE -> opcode | log2 << 22;
      case SIZE10 -> opcode | log2 << 10;
      case SZ -> opcode | sz;
      case FP3 -> isHalf(shape) ? (opcode & ~0x0020_C000) | 0x0040_0000 : opcode | sz;
      case FP2 -> isHalf(shape) ? opcode | 0x0058_0000 : opcode | sz;
      case FPX -> isHalf(shape) ? opcode & ~0x0080_0000 : opcode | sz;
      case IMM5 -> opcode | shape.elementBytes() << 16;
      case IMMH -> opcode | (8 * shape.elementBytes()) << 16;
      case LANE ->
          opcode
              | switch (log2) {
                case 0 -> 0;
                case 1 -> 0x4000;
                case 2 -> 0x8000;
                default -> 0x8400;
              };
    };
  }

  /** The arrangements, for messages. */
  @Override
  public String toString() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < LETTERS.length(); i++) {
      char letter = LETTERS.charAt(i);
      boolean isAnyLength = letters.indexOf(letter) >= 0;
      if (isAnyLength) {
        names.add(Arrangement.of(1 << i, 8).toString());
      }
      if ((isAnyLength && !isShort) || letters.indexOf(Character.toLowerCase(letter)) >= 0) {
        names.add(Arrangement.of(1 << i, 16).toString());
      }
    }
    return String.join(",", names);
  }
}
