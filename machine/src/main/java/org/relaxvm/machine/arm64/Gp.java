package org.relaxvm.machine.arm64;

/**
 * A general-purpose register, or its low 32 bits. Writing 32 bits clears the upper 32.
 *
 * @param number 0 to 31; 31 is the zero register or the stack pointer
 * @param bits 32 or 64
 * @param isStackPointer which of both 31 is
 */
public record Gp(int number, int bits, boolean isStackPointer) implements Operand {
  private static final int SPECIAL = 31;

  /** The zero register: reads as 0, and discards what is written. */
  public static final Gp XZR = new Gp(SPECIAL, 64, false);

  /** The low 32 bits of {@link #XZR}. */
  public static final Gp WZR = new Gp(SPECIAL, 32, false);

  /** The stack pointer, a multiple of 16 whenever it is the base of an address. */
  public static final Gp SP = new Gp(SPECIAL, 64, true);

  /** The low 32 bits of {@link #SP}. */
  public static final Gp WSP = new Gp(SPECIAL, 32, true);

  /** The frame pointer, x29. */
  public static final Gp FP = x(29);

  /** The link register, x30, which holds the return address. */
  public static final Gp LR = x(30);

  /** Checks the ranges. */
  public Gp {
    if (number < 0
        || number > SPECIAL
        || (bits != 32 && bits != 64)
        || (isStackPointer && number != SPECIAL)) {
      throw new IllegalArgumentException(
          "a general-purpose register has a number from 0 to 31, which is 31 for the stack pointer,"
              + " and 32 or 64 bits, but got number %d, %d bits%s"
                  .formatted(number, bits, isStackPointer ? ", stack pointer" : ""));
    }
  }

  /** The 64-bit register of a number from 0 to 30. */
  public static Gp x(int number) {
    return general(number, 64);
  }

  /** The 32-bit register of a number from 0 to 30. */
  public static Gp w(int number) {
    return general(number, 32);
  }

  private static Gp general(int number, int bits) {
    if (number == SPECIAL) {
      throw new IllegalArgumentException(
          "31 is no number of a general-purpose register; use %s"
              .formatted(bits == 64 ? "Gp.XZR or Gp.SP" : "Gp.WZR or Gp.WSP"));
    }
    return new Gp(number, bits, false);
  }

  /** Whether this is the zero register. */
  public boolean isZero() {
    return number == SPECIAL && !isStackPointer;
  }

  /** Its low {@code bits} bits: 32 or 64. */
  public Gp low(int bits) {
    return bits == this.bits ? this : new Gp(number, bits, isStackPointer);
  }

  /** Its low 32 bits. */
  public Gp low32() {
    return low(32);
  }

  /** The name in the manual. */
  @Override
  public String toString() {
    String letter = bits == 64 ? "x" : "w";
    if (isStackPointer) {
      return bits == 64 ? "sp" : "wsp";
    }
    return number == SPECIAL ? letter + "zr" : letter + number;
  }
}
