package org.relaxvm.api;

import org.jspecify.annotations.Nullable;

/**
 * Stands in the reference half of a tagged register and says what the other half, 64 bits, means. A
 * register with a null reference holds null; any other reference is the value itself.
 */
public enum ScalarTag {
  /** The bits are a signed integer. */
  INT("int"),
  /** The bits are 0 or 1. */
  BOOL("bool"),
  /** The bits are those of a double. */
  FLOAT("float");

  private final String typeKey;

  ScalarTag(String typeKey) {
    this.typeKey = typeKey;
  }

  /** The name of this kind of value in messages. */
  public String typeKey() {
    return typeKey;
  }

  /** The value of a register with this tag, boxed. */
  public Object box(long bits) {
    return switch (this) {
      case INT -> bits;
      case BOOL -> bits != 0;
      case FLOAT -> Double.longBitsToDouble(bits);
    };
  }

  /** The tag of a boxed scalar, or null when the value is none. Accepts every boxed primitive. */
  public static @Nullable ScalarTag of(@Nullable Object value) {
    return switch (value) {
      case Long _, Integer _, Short _, Byte _ -> INT;
      case Boolean _ -> BOOL;
      case Double _, Float _ -> FLOAT;
      case null, default -> null;
    };
  }

  /** The bits of a boxed scalar for which {@link #of} gave this tag. */
  public long bitsOf(Object value) {
    return switch (this) {
      case INT -> ((Number) value).longValue();
      case BOOL -> (Boolean) value ? 1 : 0;
      case FLOAT -> Double.doubleToRawLongBits(((Number) value).doubleValue());
    };
  }
}
