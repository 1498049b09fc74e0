package org.relaxvm.machine.x64;

/**
 * A mask register of AVX-512: one bit a lane. {@code k0} is an operand as any other, but as the
 * mask of an instruction it stands for all lanes.
 *
 * @param number 0 to 7
 */
public record Mask(int number) implements Operand {
  /** Checks the range. */
  public Mask {
    if (number < 0 || number > 7) {
      throw new IllegalArgumentException(
          "a mask register has a number from 0 to 7, but got " + number);
    }
  }

  /** The register of a number. */
  public static Mask k(int number) {
    return new Mask(number);
  }

  /** The name in Intel syntax. */
  @Override
  public String toString() {
    return "k" + number;
  }
}
