package org.relaxvm.backendcpu.jit.lir;

import org.jspecify.annotations.Nullable;

/**
 * What a virtual register holds.
 *
 * @param kind integer of a general register, or lanes of a vector register, or a mask
 * @param bits of a lane; of a mask, of the lanes that it selects
 * @param lanes 1 or more
 */
public record Type(Kind kind, int bits, int lanes) {
  /** A 64-bit integer in a general register. */
  public static final Type WORD = new Type(Kind.WORD, 64, 1);

  /** One float32 in a vector register. */
  public static final Type FLOAT32 = new Type(Kind.FLOAT, 32, 1);

  /** One float64 in a vector register. */
  public static final Type FLOAT64 = new Type(Kind.FLOAT, 64, 1);

  /** What lanes are. */
  public enum Kind {
    /** A 64-bit integer in a general register. */
    WORD,
    /** Integers of 8, 16, 32 or 64 bits; whether they have a sign is up to the instruction. */
    INT,
    /** Floats of 32 or 64 bits. */
    FLOAT,
    /** A boolean for each lane. */
    MASK
  }

  /** Checks the ranges. */
  public Type {
    boolean isValid =
        switch (kind) {
          case WORD -> bits == 64 && lanes == 1;
          case FLOAT -> bits == 32 || bits == 64;
          case INT, MASK -> bits == 8 || bits == 16 || bits == 32 || bits == 64;
        };
    if (!isValid || lanes < 1 || Integer.bitCount(lanes) != 1) {
      throw new IllegalArgumentException(
          "no type: %s of %d bits, %d lanes".formatted(kind, bits, lanes));
    }
  }

  /** Lanes of integers. */
  public static Type ints(int bits, int lanes) {
    return new Type(Kind.INT, bits, lanes);
  }

  /** Lanes of floats. */
  public static Type floats(int bits, int lanes) {
    return new Type(Kind.FLOAT, bits, lanes);
  }

  /** A mask of lanes of {@code bits} bits. */
  public static Type mask(int bits, int lanes) {
    return new Type(Kind.MASK, bits, lanes);
  }

  /** Whether it is an integer of a general register. */
  public boolean isWord() {
    return kind == Kind.WORD;
  }

  /** Whether lanes are floats. */
  public boolean isFloat() {
    return kind == Kind.FLOAT;
  }

  /** Whether lanes are integers of a vector register. */
  public boolean isInt() {
    return kind == Kind.INT;
  }

  /** Whether it is a mask. */
  public boolean isMask() {
    return kind == Kind.MASK;
  }

  /** The mask that selects lanes of this type. */
  public Type maskType() {
    return mask(bits, lanes);
  }

  /** Integers with the bits of these lanes. */
  public Type asInts() {
    return ints(bits, lanes);
  }

  /** The same kind of lanes, another number of them. */
  public Type withLanes(int count) {
    return new Type(kind, bits, count);
  }

  /** The bits of all lanes. */
  public int totalBits() {
    return bits * lanes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Type type
        && kind == type.kind
        && bits == type.bits
        && lanes == type.lanes;
  }

  @Override
  public int hashCode() {
    return (kind.ordinal() * 64 + bits) * 64 + lanes;
  }

  /** Such as {@code f32x16}, {@code i32x8}, {@code m32x16}, {@code word}. */
  @Override
  public String toString() {
    return switch (kind) {
      case WORD -> "word";
      case INT -> "i" + bits + "x" + lanes;
      case FLOAT -> lanes == 1 ? "f" + bits : "f" + bits + "x" + lanes;
      case MASK -> "m" + bits + "x" + lanes;
    };
  }
}
