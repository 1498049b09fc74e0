package org.relaxvm.tir.expr;

import java.util.Locale;

/**
 * A function of scalars. Math functions take and give floats of one dtype, functions of bits
 * integers of one dtype; {@link #rule()} says which.
 */
public enum Intrinsic {
  ACOS(Rule.FLOAT, 1),
  ACOSH(Rule.FLOAT, 1),
  ASIN(Rule.FLOAT, 1),
  ASINH(Rule.FLOAT, 1),
  ATAN(Rule.FLOAT, 1),
  ATANH(Rule.FLOAT, 1),
  COS(Rule.FLOAT, 1),
  COSH(Rule.FLOAT, 1),
  ERF(Rule.FLOAT, 1),
  EXP(Rule.FLOAT, 1),
  LOG(Rule.FLOAT, 1),
  RSQRT(Rule.FLOAT, 1),
  SIGMOID(Rule.FLOAT, 1),
  SIN(Rule.FLOAT, 1),
  SINH(Rule.FLOAT, 1),
  SQRT(Rule.FLOAT, 1),
  TAN(Rule.FLOAT, 1),
  TANH(Rule.FLOAT, 1),
  ATAN2(Rule.FLOAT, 2),
  /** Of integers by repeated multiplication. */
  POW(Rule.NUMBER, 2),
  CEIL(Rule.FLOAT, 1),
  FLOOR(Rule.FLOAT, 1),
  /** To the nearest integer, ties to even. */
  NEARBYINT(Rule.FLOAT, 1),
  TRUNC(Rule.FLOAT, 1),
  /** The smallest signed integer is its own. */
  ABS(Rule.NUMBER, 1),
  ISNAN(Rule.FLOAT_TEST, 1),
  ISINF(Rule.FLOAT_TEST, 1),
  ISFINITE(Rule.FLOAT_TEST, 1),
  BITWISE_AND(Rule.INTEGER, 2),
  BITWISE_OR(Rule.INTEGER, 2),
  BITWISE_XOR(Rule.INTEGER, 2),
  BITWISE_NOT(Rule.INTEGER, 1),
  /** 0 when the second is negative or not below the bits of the dtype. */
  SHIFT_LEFT(Rule.INTEGER, 2),
  /** Filled with the sign of signed integers, wholly for a number of bits as above. */
  SHIFT_RIGHT(Rule.INTEGER, 2),
  /** A boolean and two values, of which only the one that counts is evaluated. */
  IF_THEN_ELSE(Rule.CHOICE, 3);

  /** What arguments there are, and what comes out. */
  public enum Rule {
    /** Floats give a float of their dtype. */
    FLOAT,
    /** Integers give an integer of their dtype. */
    INTEGER,
    /** Integers or floats of one dtype give one of it. */
    NUMBER,
    /** A float gives a boolean. */
    FLOAT_TEST,
    /** A boolean and two values of one dtype give one of them. */
    CHOICE
  }

  private final Rule rule;
  private final int arity;

  Intrinsic(Rule rule, int arity) {
    this.rule = rule;
    this.arity = arity;
  }

  /** What arguments it takes. */
  public Rule rule() {
    return rule;
  }

  /** How many arguments it takes. */
  public int arity() {
    return arity;
  }

  /** As the text form writes it, such as {@code exp}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
