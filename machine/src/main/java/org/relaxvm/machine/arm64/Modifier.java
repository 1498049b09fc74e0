package org.relaxvm.machine.arm64;

import java.util.Locale;

/**
 * What an instruction does to its last register or constant before it uses it: a shift, or an
 * extension of the low bits and a shift to the left.
 *
 * @param kind shift or extension
 * @param amount bits of the shift; 0 or more
 */
public record Modifier(Kind kind, int amount) implements Operand {

  /** Shifts, and extensions in the order of their encoding from {@link #UXTB} on. */
  public enum Kind {
    LSL,
    LSR,
    ASR,
    ROR,
    /** To the left, and ones come in. */
    MSL,
    UXTB,
    UXTH,
    UXTW,
    UXTX,
    SXTB,
    SXTH,
    SXTW,
    SXTX;

    boolean isExtension() {
      return ordinal() >= UXTB.ordinal();
    }

    /** The number in the encoding of a shift or an extension. */
    int number() {
      return isExtension() ? ordinal() - UXTB.ordinal() : ordinal();
    }
  }

  /** Checks the range. */
  public Modifier {
    if (amount < 0 || amount > 63) {
      throw new IllegalArgumentException("a shift is by 0 to 63 bits, but got " + amount);
    }
  }

  /** A shift or an extension. */
  public static Modifier of(Kind kind, int amount) {
    return new Modifier(kind, amount);
  }

  /** A shift to the left. */
  public static Modifier lsl(int amount) {
    return new Modifier(Kind.LSL, amount);
  }

  /** Whether this is a shift by nothing. */
  boolean isNone() {
    return kind == Kind.LSL && amount == 0;
  }

  /** The modifier in the manual, such as {@code lsl #3}. */
  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return kind.isExtension() && amount == 0 ? name : name + " #" + amount;
  }
}
