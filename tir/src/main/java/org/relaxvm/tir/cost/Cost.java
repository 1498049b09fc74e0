package org.relaxvm.tir.cost;

import java.util.OptionalLong;

/**
 * What a call costs at least, if each element moves once.
 *
 * @param bytes read and written in the memory of the device; empty when not known
 * @param operations on floats: sums, products, quotients, the smaller or larger of two, and
 *     functions such as the exponential, each as one; empty when not known
 */
public record Cost(OptionalLong bytes, OptionalLong operations) {
  /** Of a call that nothing is known of. */
  public static final Cost UNKNOWN = new Cost(OptionalLong.empty(), OptionalLong.empty());

  /** Of figures that may be NaN where something is not known. */
  static Cost of(double bytes, double operations) {
    return new Cost(known(bytes), known(operations));
  }

  private static OptionalLong known(double value) {
    return Double.isNaN(value) || value < 0 || value >= 0x1p62
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(value));
  }
}
