package org.relaxvm.machine.x64;

/**
 * A constant in an instruction.
 *
 * @param value its value; instructions say how many bits of it they hold, signed if not stated
 */
public record Immediate(long value) implements Operand {
  /** The constant {@code value}. */
  public static Immediate of(long value) {
    return new Immediate(value);
  }

  /** The decimal number. */
  @Override
  public String toString() {
    return Long.toString(value);
  }
}
