package org.relaxvm.backendtestkit.corpus;

import org.relaxvm.tir.expr.PrimExpr;

/** How an argument is made. */
public sealed interface Fill {
  /**
   * Numbers of a range: of float dtypes multiples of 1/4, which add up without rounding, of integer
   * dtypes integers.
   */
  record Numbers(double low, double high) implements Fill {}

  /** Floats anywhere in a range. */
  record Reals(double low, double high) implements Fill {}

  /**
   * Indices of an axis.
   *
   * @param extent may be symbolic
   * @param fromEnd whether some are negative and count from the end
   */
  record Indices(PrimExpr extent, boolean fromEnd) implements Fill {}

  /** Numbers of a range in ascending order. */
  record Ascending(double low, double high) implements Fill {}

  /** Numbers one after the other, from the first again when there are no more. */
  record Given(double... values) implements Fill {
    /** Copies the array. */
    public Given {
      values = values.clone();
    }

    @Override
    public double[] values() {
      return values.clone();
    }
  }
}
