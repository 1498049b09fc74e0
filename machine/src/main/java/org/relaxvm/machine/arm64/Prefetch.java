package org.relaxvm.machine.arm64;

import java.util.Locale;

/**
 * What is prefetched: data for loads (PLD), instructions (PLI), data for stores (PST); into which
 * cache; to be kept there, or read once (STRM).
 */
public enum Prefetch implements Operand {
  PLDL1KEEP(0),
  PLDL1STRM(1),
  PLDL2KEEP(2),
  PLDL2STRM(3),
  PLDL3KEEP(4),
  PLDL3STRM(5),
  PLIL1KEEP(8),
  PLIL1STRM(9),
  PLIL2KEEP(10),
  PLIL2STRM(11),
  PLIL3KEEP(12),
  PLIL3STRM(13),
  PSTL1KEEP(16),
  PSTL1STRM(17),
  PSTL2KEEP(18),
  PSTL2STRM(19),
  PSTL3KEEP(20),
  PSTL3STRM(21);

  private final int number;

  Prefetch(int number) {
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
