package org.relaxvm.machine.arm64;

import java.util.OptionalInt;

/**
 * An integer constant in an instruction.
 *
 * @param value its value; the instruction says which values it can encode
 */
public record Immediate(long value) implements Operand {
  private static final int N_AT = 12;
  private static final int ROTATION_AT = 6;

  /** The constant {@code value}. */
  public static Immediate of(long value) {
    return new Immediate(value);
  }

  /** Whether additions, subtractions and comparisons can encode it: 12 bits, or 12 and 12 zeros. */
  public boolean isArithmetic() {
    return (value & ~0xFFFL) == 0 || (value & ~0xFFF000L) == 0;
  }

  /**
   * Whether logical instructions can encode it: a run of ones, rotated, in an element that is
   * repeated.
   *
   * @param bits 32 or 64: the size of the operation; of 32 bits, the value may be signed or not
   */
  public boolean isBitmask(int bits) {
    return bitmask(bits).isPresent();
  }

  /** The 13 bits N, immr and imms that encode the value in logical instructions, if some do. */
  OptionalInt bitmask(int bits) {
    if (bits == 32 && value != (int) value && value != (value & 0xFFFF_FFFFL)) {
      return OptionalInt.empty();
    }
    long all = bits == 32 ? (value & 0xFFFF_FFFFL) * 0x1_0000_0001L : value;
    if (all == 0 || all == -1) {
      return OptionalInt.empty();
    }
    int size = 64;
    while (size > 2 && Long.rotateRight(all, size / 2) == all) {
      size /= 2;
    }
    // The run of ones begins where a one follows a zero.
    long starts = all & ~Long.rotateLeft(all, 1);
    if (Long.bitCount(starts) != 64 / size) {
      return OptionalInt.empty();
    }
    int ones = Long.bitCount(all) / (64 / size);
    int rotation = (size - Long.numberOfTrailingZeros(starts)) % size;
    int sizeAndOnes = (-2 * size & 0x3F) | (ones - 1);
    int n = size == 64 ? 1 : 0;
    return OptionalInt.of(n << N_AT | rotation << ROTATION_AT | sizeAndOnes);
  }

  /** The decimal number, after a number sign. */
  @Override
  public String toString() {
    return "#" + value;
  }
}
