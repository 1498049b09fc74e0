package org.relaxvm.backendcpu.jit.lir;

import java.util.Locale;

/**
 * Operations. Unless stated otherwise operands and result have one type, and lanes are independent
 * of each other. Integers wrap around.
 */
public enum Op {
  /** The operand. */
  MOVE(1),
  ADD(2),
  SUB(2),
  /** The low half of the product of integers. */
  MUL(2),
  /** Of floats, or of words towards 0: the divisor is not 0, and the quotient is no overflow. */
  DIV(2),
  /** The remainder of {@link #DIV} of words. */
  REM(2),
  /** As {@link #DIV}, of words without a sign. */
  UDIV(2),
  /** The remainder of {@link #UDIV}. */
  UREM(2),
  /** Of floats as IEEE 754-2019 {@code minimum}: NaN when either is, -0 is less than 0. */
  MIN(2),
  /** Of floats as IEEE 754-2019 {@code maximum}. */
  MAX(2),
  /** Of integers without a sign. */
  UMIN(2),
  /** Of integers without a sign. */
  UMAX(2),
  /** Of the bits of words, integers, floats or masks. */
  AND(2),
  /** As {@link #AND}. */
  OR(2),
  /** As {@link #AND}. */
  XOR(2),
  /** The first operand where bits of the second one are 0. */
  AND_NOT(2),
  /** Of words, integers and masks. */
  NOT(1),
  NEG(1),
  /** Of integers, the smallest one is its own; of floats, without the sign. */
  ABS(1),
  /** Words or integers by an {@link Operand.Imm} or an operand of their type, 0 to bits - 1. */
  SHL(2),
  /** As {@link #SHL}, filled with zeros. */
  SHR(2),
  /** As {@link #SHL}, filled with the sign. */
  SAR(2),
  SQRT(1),
  FLOOR(1),
  CEIL(1),
  TRUNC(1),
  /** To the nearest integer, ties to even. */
  NEAREST(1),
  /** {@code a * b + c} of floats, rounded once. */
  FMA(3),
  /** {@code c - a * b} of floats, rounded once. */
  FNMA(3),
  /** {@code a * 2^b} of floats, rounded once; {@code b} is an integer or NaN. */
  SCALE(2),
  /** {@code mask ? a : b} for each lane. */
  BLEND(3),
  /** {@code word != 0 ? a : b} for words, or for one float. */
  SELECT(3),

  /** The low 8 bits of a word as a signed integer. */
  SIGN8(1),
  /** The low 16 bits of a word as a signed integer. */
  SIGN16(1),
  /** The low 32 bits of a word as a signed integer. */
  SIGN32(1),
  /** The low 8 bits of a word as an integer without a sign. */
  ZERO8(1),
  /** The low 16 bits of a word as an integer without a sign. */
  ZERO16(1),
  /** The low 32 bits of a word as an integer without a sign. */
  ZERO32(1),

  /**
   * Floats truncated to integers of as many bits; float64 may become int32, one float a word. A
   * value that does not fit becomes the smallest integer.
   */
  TO_INT(1),
  /** Integers with a sign as floats of as many bits, or int32 as float64; one float from a word. */
  TO_FLOAT(1),
  /** As {@link #TO_FLOAT}, of integers without a sign. */
  UNSIGNED_TO_FLOAT(1),
  /** float32 as float64, or integers with a sign as integers of more bits. */
  WIDEN(1),
  /** Integers without a sign as integers of more bits. */
  UNSIGNED_WIDEN(1),
  /** float64 as float32, or the low bits of integers. */
  NARROW(1),
  /** int16 with the bits of float16 as float32. */
  FROM_HALF(1),
  /** float32 as int16 with the bits of the nearest float16. */
  TO_HALF(1),
  /** Lanes of the same number of bits. */
  REINTERPRET(1),

  /** A word, of which lanes take the low bits, or one float for all lanes. */
  SPLAT(1),
  /** The first lane of integers as a word, with its sign; the bits of one float, without. */
  TO_WORD(1),
  /** One float from the low bits of a word. */
  FROM_WORD(1),
  /** The first half of the lanes; of two lanes of floats, one float. */
  LOW_HALF(1),
  /** The second half of the lanes. */
  HIGH_HALF(1),
  /** The lanes of the first operand, then those of the second, which has the same type. */
  JOIN(2),
  /**
   * Of integers: the lanes of the first halves of 128 bits of each operand, alternately, beginning
   * with one of the first operand. The types have 128 bits or a multiple.
   */
  INTERLEAVE_LOW(2),
  /** As {@link #INTERLEAVE_LOW}, of the second halves of 128 bits. */
  INTERLEAVE_HIGH(2),
  /**
   * Of integers: the 128 bits with even numbers of the first operand, then those of the second. The
   * types have 256 bits or more.
   */
  EVEN_BLOCKS(2),
  /** As {@link #EVEN_BLOCKS}, of 128 bits with odd numbers. */
  ODD_BLOCKS(2),

  /** A mask with the first lanes of a number that is a word from 0 to the lanes. */
  FIRST_LANES(1),
  /** The booleans of a mask as bits of a word, the first lane lowest. */
  MASK_BITS(1),
  /** A mask of the same lanes with another number of bits. */
  RESIZE(1);

  private final int arity;

  Op(int arity) {
    this.arity = arity;
  }

  /** How many operands it takes. */
  public int arity() {
    return arity;
  }

  /** As dumps write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
