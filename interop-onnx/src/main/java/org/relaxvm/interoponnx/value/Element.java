package org.relaxvm.interoponnx.value;

import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** An element of a {@link Known} tensor: a number, or an expression of symbolic extents. */
public sealed interface Element {
  /**
   * An integer, or 0 or 1 for a boolean.
   *
   * @param value an int64 expression
   */
  record Int(PrimExpr value) implements Element {}

  /** A floating-point number. */
  record Real(double value) implements Element {}

  /**
   * A floating-point number that is an exact quotient of integers: what a cast of an extent gives,
   * until it is rounded.
   *
   * @param numerator an int64 expression
   * @param denominator 1 or more
   */
  record Ratio(PrimExpr numerator, long denominator) implements Element {}

  /** An integer that is known. */
  static Element of(long value) {
    return new Int(IntImm.of(value));
  }

  /** A boolean that is known. */
  static Element of(boolean value) {
    return of(value ? 1 : 0);
  }

  /** The quotient of an expression and a number; a constant becomes a number. */
  static Element ratio(PrimExpr numerator, long denominator) {
    if (numerator instanceof IntImm number) {
      return new Real((double) number.value() / denominator);
    }
    return new Ratio(numerator, denominator);
  }
}
