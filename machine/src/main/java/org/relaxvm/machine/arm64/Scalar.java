package org.relaxvm.machine.arm64;

/**
 * The low bits of a vector register as one value. Writing them clears the bits above.
 *
 * @param number 0 to 31
 * @param bits 8, 16, 32, 64 or 128
 */
public record Scalar(int number, int bits) implements Operand {
  /** Checks the ranges. */
  public Scalar {
    if (number < 0 || number > 31 || Integer.bitCount(bits) != 1 || bits < 8 || bits > 128) {
      throw new IllegalArgumentException(
          "a scalar register has a number from 0 to 31 and 8, 16, 32, 64 or 128 bits, but got"
              + " number %d, %d bits".formatted(number, bits));
    }
  }

  /** The low 8 bits of a register. */
  public static Scalar b(int number) {
    return new Scalar(number, 8);
  }

  /** The low 16 bits of a register. */
  public static Scalar h(int number) {
    return new Scalar(number, 16);
  }

  /** The low 32 bits of a register. */
  public static Scalar s(int number) {
    return new Scalar(number, 32);
  }

  /** The low 64 bits of a register. */
  public static Scalar d(int number) {
    return new Scalar(number, 64);
  }

  /** All 128 bits of a register. */
  public static Scalar q(int number) {
    return new Scalar(number, 128);
  }

  /** The name in the manual. */
  @Override
  public String toString() {
    return "bhsdq".charAt(Integer.numberOfTrailingZeros(bits / 8)) + String.valueOf(number);
  }
}
