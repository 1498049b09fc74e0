package org.relaxvm.tir.arith;

import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link Polynomial}.
 *
 * @param coefficient not 0
 */
record Term(Monomial monomial, long coefficient) {
  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Term that
            && coefficient == that.coefficient
            && monomial.equals(that.monomial));
  }

  @Override
  public int hashCode() {
    return 31 * monomial.hashCode() + Long.hashCode(coefficient);
  }
}
