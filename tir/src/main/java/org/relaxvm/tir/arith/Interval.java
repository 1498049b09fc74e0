package org.relaxvm.tir.arith;

import org.jspecify.annotations.Nullable;

/**
 * The integers from {@code min} to {@code max}. {@link Long#MIN_VALUE} stands for no lower bound,
 * {@link Long#MAX_VALUE} for no upper bound.
 *
 * <p>A lower bound of {@link Long#MAX_VALUE} is kept as one less, and an upper bound of {@link
 * Long#MIN_VALUE} as one more, so that these two values always stand for infinity.
 */
public record Interval(long min, long max) {
  /** All integers. */
  public static final Interval ALL = new Interval(Long.MIN_VALUE, Long.MAX_VALUE);

  private static final Interval BITS = new Interval(0, 1);

  /** Checks that there is a value between the bounds. */
  public Interval {
    if (min > max) {
      throw new IllegalArgumentException("no integer lies between " + min + " and " + max);
    }
    min = Math.min(min, Long.MAX_VALUE - 1);
    max = Math.max(max, Long.MIN_VALUE + 1);
  }

  /** One integer. */
  public static Interval of(long value) {
    return new Interval(value, value);
  }

  /** This integer and all above. */
  public static Interval from(long min) {
    return new Interval(min, Long.MAX_VALUE);
  }

  static Interval bit() {
    return BITS;
  }

  /** Whether there is a lower bound. */
  public boolean hasMin() {
    return min != Long.MIN_VALUE;
  }

  /** Whether there is an upper bound. */
  public boolean hasMax() {
    return max != Long.MAX_VALUE;
  }

  /** Whether there is just one value. */
  public boolean isPoint() {
    return min == max;
  }

  /** Whether the value lies between the bounds. */
  public boolean contains(long value) {
    return min <= value && value <= max;
  }

  Interval negated() {
    return new Interval(negate(max), negate(min));
  }

  Interval plus(Interval other) {
    long low = hasMin() && other.hasMin() ? saturatedSum(min, other.min) : Long.MIN_VALUE;
    long high = hasMax() && other.hasMax() ? saturatedSum(max, other.max) : Long.MAX_VALUE;
    return new Interval(low, high);
  }

  Interval times(Interval other) {
    return corners(
        product(min, other.min),
        product(min, other.max),
        product(max, other.min),
        product(max, other.max));
  }

  /** What both have in common; this one when that is nothing, which only dead code can have. */
  Interval narrowedTo(Interval other) {
    long low = Math.max(min, other.min);
    long high = Math.min(max, other.max);
    return low <= high ? new Interval(low, high) : this;
  }

  Interval union(Interval other) {
    return new Interval(Math.min(min, other.min), Math.max(max, other.max));
  }

  Interval smallerOf(Interval other) {
    return new Interval(Math.min(min, other.min), Math.min(max, other.max));
  }

  Interval largerOf(Interval other) {
    return new Interval(Math.max(min, other.min), Math.max(max, other.max));
  }

  Interval absolute() {
    if (min >= 0) {
      return this;
    }
    Interval opposite = negated();
    return max <= 0 ? opposite : new Interval(0, Math.max(max, opposite.max));
  }

  // Where a divisor may be 0 that value counts for nothing: such a division has no result.

  Interval floorDividedBy(Interval divisor) {
    if (divisor.min > 0) {
      return corners(
          quotient(min, divisor.min),
          quotient(min, divisor.max),
          quotient(max, divisor.min),
          quotient(max, divisor.max));
    }
    if (divisor.max < 0) {
      return negated().floorDividedBy(divisor.negated());
    }
    Interval result = null;
    if (divisor.max > 0) {
      result = floorDividedBy(new Interval(1, divisor.max));
    }
    if (divisor.min < 0) {
      Interval other = floorDividedBy(new Interval(divisor.min, -1));
      result = result == null ? other : result.union(other);
    }
    return result == null ? ALL : result;
  }

  Interval floorModulo(Interval divisor) {
    if (divisor.max < 0) {
      return negated().floorModulo(divisor.negated()).negated();
    }
    if (divisor.min <= 0) {
      long low = divisor.min == 0 ? 0 : Math.min(divisor.min + 1, 0);
      long high = Math.max(divisor.max - 1, 0);
      return new Interval(
          divisor.hasMin() ? low : Long.MIN_VALUE, divisor.hasMax() ? high : Long.MAX_VALUE);
    }
    if (min >= 0 && hasMax() && max < divisor.min) {
      return this;
    }
    boolean bounded = hasMin() && hasMax() && divisor.isPoint();
    if (bounded && Math.floorDiv(min, divisor.min) == Math.floorDiv(max, divisor.min)) {
      return new Interval(Math.floorMod(min, divisor.min), Math.floorMod(max, divisor.min));
    }
    long high = divisor.hasMax() ? divisor.max - 1 : Long.MAX_VALUE;
    return new Interval(0, min >= 0 ? Math.min(high, max) : high);
  }

  Interval dividedBy(Interval divisor) {
    Interval result = null;
    if (max >= 0) {
      Interval positive = new Interval(Math.max(min, 0), max);
      if (divisor.max > 0) {
        result = positive.floorDividedBy(new Interval(Math.max(divisor.min, 1), divisor.max));
      }
      if (divisor.min < 0) {
        Interval other = new Interval(divisor.min, Math.min(divisor.max, -1)).negated();
        Interval opposite = positive.floorDividedBy(other).negated();
        result = result == null ? opposite : result.union(opposite);
      }
    }
    if (min < 0) {
      Interval opposite = new Interval(min, Math.min(max, -1)).negated();
      Interval other = opposite.dividedBy(divisor).negated();
      result = result == null ? other : result.union(other);
    }
    return result == null ? ALL : result;
  }

  Interval modulo(Interval divisor) {
    Interval size = divisor.absolute();
    long largest = size.hasMax() ? Math.max(size.max - 1, 0) : Long.MAX_VALUE;
    long high = max <= 0 ? 0 : Math.min(max, largest);
    long low = min >= 0 ? 0 : Math.max(min, negate(largest));
    return new Interval(low, high);
  }

  private static Interval corners(long a, long b, long c, long d) {
    return new Interval(
        Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
  }

  private static long negate(long bound) {
    return bound == Long.MIN_VALUE
        ? Long.MAX_VALUE
        : bound == Long.MAX_VALUE ? Long.MIN_VALUE : -bound;
  }

  private static long quotient(long a, long b) {
    return isInfinite(a) ? a : Math.floorDiv(a, b);
  }

  private static long product(long a, long b) {
    if (a == 0 || b == 0) {
      return 0;
    }
    if (isInfinite(a) || isInfinite(b)) {
      return (a < 0) == (b < 0) ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
    long product = a * b;
    if (Math.multiplyHigh(a, b) == product >> (Long.SIZE - 1)) {
      return product;
    }
    return (a < 0) == (b < 0) ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) >= 0) {
      return sum;
    }
    return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private static boolean isInfinite(long bound) {
    return bound == Long.MIN_VALUE || bound == Long.MAX_VALUE;
  }

  @Override
  public String toString() {
    return "[" + (hasMin() ? min : "-inf") + ", " + (hasMax() ? max : "inf") + "]";
  }

  /** Rationale: docs/rationale/api.md, "Why do some records write out equality?" */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Interval that && min == that.min && max == that.max);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(min) + Long.hashCode(max);
  }
}
