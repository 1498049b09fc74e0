package org.relaxvm.backendcpu.element.integer;

/**
 * Quotients and remainders of 64-bit integers. Vectors divide doubles only, and the quotient of two
 * integers below 2^53, rounded to a double, never reaches the next integer. A divisor beyond that
 * is rounded itself, but then the quotient is below 1. Where a dividend of a block is larger, the
 * block is left to the caller.
 *
 * <p>Division by 0 gives 0, and so does its rest.
 */
public final class LongQuotients {
  /** The functions. */
  public enum Function {
    DIVIDE,
    FLOOR_DIVIDE,
    MOD,
    FLOOR_MOD
  }

  /** Computes elements one by one. */
  @FunctionalInterface
  public interface OneByOne {
    /** Computes the elements from {@code from} to {@code to}, the latter excluded. */
    void apply(int from, int to);
  }

  private static final int BLOCK = 128;
  private static final int BITS = 53;

  private LongQuotients() {}

  /**
   * {@code a[i] = a[i] op b[i]}.
   *
   * @param unsigned whether both are; the functions that round down are then the others
   * @param rest computes blocks that have a large dividend
   */
  public static void apply(
      Function op, long[] a, long[] b, int from, int to, boolean unsigned, OneByOne rest) {
    long[] dividends = new long[unsigned ? BLOCK : 0];
    long[] divisors = new long[unsigned ? BLOCK : 0];
    for (int start = from; start < to; start += BLOCK) {
      int end = Math.min(to, start + BLOCK);
      int count = end - start;
      if (!isSmall(a, start, end, unsigned)) {
        rest.apply(start, end);
      } else if (unsigned) {
        System.arraycopy(a, start, dividends, 0, count);
        System.arraycopy(b, start, divisors, 0, count);
        positive(divisors, count);
        small(op, dividends, divisors, 0, count);
        System.arraycopy(dividends, 0, a, start, count);
      } else {
        small(op, a, b, start, end);
      }
    }
  }

  private static boolean isSmall(long[] a, int from, int to, boolean unsigned) {
    long sign = unsigned ? 0 : -1;
    long bits = 0;
    for (int i = from; i < to; i++) {
      // A negative number as the one below its size.
      bits |= a[i] ^ (a[i] >> (Long.SIZE - 1) & sign);
    }
    return bits >>> BITS == 0;
  }

  /** Divisors of 2^63 and more become the largest one with sign: quotients are 0 either way. */
  private static void positive(long[] divisors, int count) {
    for (int i = 0; i < count; i++) {
      divisors[i] = (divisors[i] | divisors[i] >> (Long.SIZE - 1)) & Long.MAX_VALUE;
    }
  }

  private static void small(Function op, long[] a, long[] b, int from, int to) {
    switch (op) {
      case DIVIDE -> divide(a, b, from, to);
      case FLOOR_DIVIDE -> floorDivide(a, b, from, to);
      case MOD -> mod(a, b, from, to);
      case FLOOR_MOD -> floorMod(a, b, from, to);
    }
  }

  private static void divide(long[] a, long[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = quotient(a[i], b[i]);
    }
  }

  private static void floorDivide(long[] a, long[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = floorQuotient(a[i], b[i]);
    }
  }

  private static void mod(long[] a, long[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = (a[i] - b[i] * quotient(a[i], b[i])) & ones(b[i]);
    }
  }

  private static void floorMod(long[] a, long[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = (a[i] - b[i] * floorQuotient(a[i], b[i])) & ones(b[i]);
    }
  }

  private static long quotient(long x, long y) {
    return (long) ((double) x / y) & ones(y);
  }

  private static long floorQuotient(long x, long y) {
    return (long) Math.floor((double) x / y) & ones(y);
  }

  /** All bits, or none if the argument is 0. */
  private static long ones(long x) {
    return (x | -x) >> (Long.SIZE - 1);
  }
}
