package org.relaxvm.machine.arm64;

/**
 * A vector register. Instructions that write 64 bits clear the upper 64.
 *
 * @param number 0 to 31
 * @param arrangement its lanes
 */
public record Vector(int number, Arrangement arrangement) implements Operand {
  /** Checks the range. */
  public Vector {
    checkNumber(number);
  }

  static void checkNumber(int number) {
    if (number < 0 || number > 31) {
      throw new IllegalArgumentException(
          "a vector register has a number from 0 to 31, but got " + number);
    }
  }

  /** 8 lanes of 8 bits. */
  public static Vector b8(int number) {
    return new Vector(number, Arrangement.B8);
  }

  /** 16 lanes of 8 bits. */
  public static Vector b16(int number) {
    return new Vector(number, Arrangement.B16);
  }

  /** 4 lanes of 16 bits. */
  public static Vector h4(int number) {
    return new Vector(number, Arrangement.H4);
  }

  /** 8 lanes of 16 bits. */
  public static Vector h8(int number) {
    return new Vector(number, Arrangement.H8);
  }

  /** 2 lanes of 32 bits. */
  public static Vector s2(int number) {
    return new Vector(number, Arrangement.S2);
  }

  /** 4 lanes of 32 bits. */
  public static Vector s4(int number) {
    return new Vector(number, Arrangement.S4);
  }

  /** 1 lane of 64 bits. */
  public static Vector d1(int number) {
    return new Vector(number, Arrangement.D1);
  }

  /** 2 lanes of 64 bits. */
  public static Vector d2(int number) {
    return new Vector(number, Arrangement.D2);
  }

  /** The same register with other lanes. */
  public Vector as(Arrangement other) {
    return new Vector(number, other);
  }

  /** The lane of an index. */
  public Element element(int index) {
    return new Element(number, arrangement.element(), index);
  }

  /** The low {@code bits} bits of the register. */
  public Scalar scalar(int bits) {
    return new Scalar(number, bits);
  }

  /** The name in the manual, such as {@code v3.4s}. */
  @Override
  public String toString() {
    return "v" + number + "." + arrangement;
  }
}
