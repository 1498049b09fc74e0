package org.relaxvm.compiler.type.check;

/** How well a value of one type stands where another type is expected; the worst first. */
public enum Fit {
  /** No value of the one type is of the other: level L0. */
  IMPOSSIBLE,
  /** Kind, dtype or number of axes are to be checked when the program runs: level L1. */
  NEEDS_TYPE_CHECK,
  /** Extents are to be checked when the program runs: level L2. */
  NEEDS_SHAPE_CHECK,
  /** Each value of the one type is of the other. */
  PASS;

  /** The worse of the two. */
  public Fit and(Fit other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
