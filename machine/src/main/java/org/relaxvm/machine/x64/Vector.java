package org.relaxvm.machine.x64;

/**
 * A vector register, or its low bits. Instructions with VEX or EVEX prefix clear the bits above
 * those they write.
 *
 * @param number 0 to 31; from 16 on, AVX-512 only
 * @param bits 128, 256 or 512
 */
public record Vector(int number, int bits) implements Operand {
  /** Checks the ranges. */
  public Vector {
    if (number < 0 || number > 31 || (bits != 128 && bits != 256 && bits != 512)) {
      throw new IllegalArgumentException(
          "a vector register has a number from 0 to 31 and 128, 256 or 512 bits, but got number"
              + " %d, %d bits".formatted(number, bits));
    }
  }

  /** The 128-bit register of a number. */
  public static Vector xmm(int number) {
    return new Vector(number, 128);
  }

  /** The 256-bit register of a number. */
  public static Vector ymm(int number) {
    return new Vector(number, 256);
  }

  /** The 512-bit register of a number. */
  public static Vector zmm(int number) {
    return new Vector(number, 512);
  }

  /** Its low {@code bits} bits: 128, 256 or 512. */
  public Vector low(int bits) {
    return bits == this.bits ? this : new Vector(number, bits);
  }

  /** The name in Intel syntax. */
  @Override
  public String toString() {
    return (bits == 128 ? "xmm" : bits == 256 ? "ymm" : "zmm") + number;
  }
}
