package org.relaxvm.machine.x64;

import java.util.Locale;

/** What flags say, in the order of the encoding. {@code B}, {@code A}: unsigned or float. */
public enum Condition {
  O,
  NO,
  B,
  AE,
  E,
  NE,
  BE,
  A,
  S,
  NS,
  P,
  NP,
  L,
  GE,
  LE,
  G;

  /** The condition that holds when this one does not. */
  public Condition negated() {
    return values()[ordinal() ^ 1];
  }

  /** The suffix of mnemonics. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
