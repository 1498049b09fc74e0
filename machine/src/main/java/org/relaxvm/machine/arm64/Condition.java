package org.relaxvm.machine.arm64;

import java.util.Locale;

/**
 * What flags say, in the order of the encoding. After a comparison of floats, {@code VS} is true if
 * one is NaN, and {@code MI}, {@code LS}, {@code GE} and {@code GT} are false then.
 */
public enum Condition implements Operand {
  EQ,
  NE,
  /** Unsigned greater than or equal; carry set. */
  HS,
  /** Unsigned less than; carry clear. */
  LO,
  MI,
  PL,
  VS,
  VC,
  HI,
  LS,
  GE,
  LT,
  GT,
  LE,
  /** Always. */
  AL;

  /**
   * The condition that holds when this one does not.
   *
   * @throws IllegalArgumentException if this is {@link #AL}
   */
  public Condition negated() {
    if (this == AL) {
      throw new IllegalArgumentException("the condition 'al' has no opposite");
    }
    return values()[ordinal() ^ 1];
  }

  /** The suffix of mnemonics. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
