package org.relaxvm.machine.arm64;

import java.util.Locale;

/**
 * Which accesses a barrier orders: of the outer shareable domain, the non-shareable, the inner
 * shareable, the full system; all, loads before, or stores only.
 */
public enum Barrier implements Operand {
  OSHLD(1),
  OSHST(2),
  OSH(3),
  NSHLD(5),
  NSHST(6),
  NSH(7),
  ISHLD(9),
  ISHST(10),
  ISH(11),
  LD(13),
  ST(14),
  SY(15);

  private final int number;

  Barrier(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The name in the manual. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
