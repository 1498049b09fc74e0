package org.relaxvm.machine.arm64;

/**
 * A floating-point constant in an instruction: zero in comparisons; in moves, a value of four
 * significant bits and an exponent from -3 to 4.
 *
 * @param value its value
 */
public record FloatImmediate(double value) implements Operand {
  private static final int FRACTION_BITS = 52;
  private static final int KEPT_BITS = 4;
  private static final int SMALLEST_EXPONENT = -3;
  private static final int LARGEST_EXPONENT = 4;

  /** The constant {@code value}. */
  public static FloatImmediate of(double value) {
    return new FloatImmediate(value);
  }

  /** Whether a move can encode the value in eight bits. */
  public boolean isEncodable() {
    long bits = Double.doubleToRawLongBits(value);
    int exponent = Math.getExponent(value);
    return exponent >= SMALLEST_EXPONENT
        && exponent <= LARGEST_EXPONENT
        && bits << (64 - FRACTION_BITS + KEPT_BITS) == 0;
  }

  /** The eight bits: sign, three of the exponent, four of the fraction. */
  int encoding() {
    long bits = Double.doubleToRawLongBits(value);
    int sign = (int) (bits >>> 63);
    int exponent = (Math.getExponent(value) - 1) & 7;
    int fraction = (int) (bits >>> (FRACTION_BITS - KEPT_BITS)) & 0xF;
    return sign << 7 | exponent << 4 | fraction;
  }

  /** The decimal number, after a number sign. */
  @Override
  public String toString() {
    return "#" + value;
  }
}
