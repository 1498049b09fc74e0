package org.relaxvm.backendcpu.element;

import java.util.Arrays;
import org.relaxvm.backendcpu.element.integer.LongQuotients;

/** Integer arithmetic modulo 2^64, in portable Java; booleans are 0 and 1. */
public class LongLanes extends Lanes<long[]> {
  static final LongLanes SIGNED = new LongLanes(false);

  /** For uint64 only: smaller unsigned integers are non-negative longs. */
  static final LongLanes UNSIGNED = new LongLanes(true);

  private static final int SIGN_SHIFT = Long.SIZE - 1;

  private final boolean unsigned;

  /**
   * Creates the arithmetic.
   *
   * @param unsigned whether it is that of uint64
   */
  public LongLanes(boolean unsigned) {
    this.unsigned = unsigned;
  }

  @Override
  public long[] array(int length) {
    return new long[length];
  }

  @Override
  public long[][] arrays(int count, int length) {
    return new long[count][length];
  }

  @Override
  public void fill(long[] into, int from, int to, double value) {
    Arrays.fill(into, from, to, (long) value);
  }

  @Override
  public void binary(BinaryOp op, long[] a, long[] b, int from, int to) {
    switch (op) {
      case ADD -> {
        for (int i = from; i < to; i++) {
          a[i] += b[i];
        }
      }
      case SUBTRACT -> {
        for (int i = from; i < to; i++) {
          a[i] -= b[i];
        }
      }
      case MULTIPLY -> {
        for (int i = from; i < to; i++) {
          a[i] *= b[i];
        }
      }
      case MAXIMUM -> {
        long flip = flip();
        for (int i = from; i < to; i++) {
          a[i] = Math.max(a[i] ^ flip, b[i] ^ flip) ^ flip;
        }
      }
      case MINIMUM -> {
        long flip = flip();
        for (int i = from; i < to; i++) {
          a[i] = Math.min(a[i] ^ flip, b[i] ^ flip) ^ flip;
        }
      }
      case BITWISE_AND -> {
        for (int i = from; i < to; i++) {
          a[i] &= b[i];
        }
      }
      case BITWISE_OR -> {
        for (int i = from; i < to; i++) {
          a[i] |= b[i];
        }
      }
      case BITWISE_XOR -> {
        for (int i = from; i < to; i++) {
          a[i] ^= b[i];
        }
      }
      case LEFT_SHIFT -> leftShift(a, b, from, to);
      case RIGHT_SHIFT -> rightShift(a, b, from, to);
      case DIVIDE -> quotients(op, LongQuotients.Function.DIVIDE, a, b, from, to);
      case FLOOR_DIVIDE -> quotients(op, LongQuotients.Function.FLOOR_DIVIDE, a, b, from, to);
      case MOD -> quotients(op, LongQuotients.Function.MOD, a, b, from, to);
      case FLOOR_MOD -> quotients(op, LongQuotients.Function.FLOOR_MOD, a, b, from, to);
      default -> oneByOne(op, a, b, from, to);
    }
  }

  private void quotients(
      BinaryOp op, LongQuotients.Function function, long[] a, long[] b, int from, int to) {
    LongQuotients.apply(
        function, a, b, from, to, unsigned, (start, end) -> oneByOne(op, a, b, start, end));
  }

  private void oneByOne(BinaryOp op, long[] a, long[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = apply(op, a[i], b[i]);
    }
  }

  private static void leftShift(long[] a, long[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = (a[i] << b[i]) & ~ones(b[i] & -Long.SIZE);
    }
  }

  private void rightShift(long[] a, long[] b, int from, int to) {
    if (unsigned) {
      for (int i = from; i < to; i++) {
        a[i] = (a[i] >>> b[i]) & ~ones(b[i] & -Long.SIZE);
      }
    } else {
      for (int i = from; i < to; i++) {
        a[i] = a[i] >> ((b[i] | ones(b[i] & -Long.SIZE)) & SIGN_SHIFT);
      }
    }
  }

  /** All bits, or none if the argument is 0. */
  private static long ones(long x) {
    return (x | -x) >> SIGN_SHIFT;
  }

  long apply(BinaryOp op, long x, long y) {
    return switch (op) {
      case ADD -> x + y;
      case SUBTRACT -> x - y;
      case MULTIPLY -> x * y;
      case DIVIDE -> y == 0 ? 0 : unsigned ? Long.divideUnsigned(x, y) : x / y;
      case MAXIMUM -> order(x, y) >= 0 ? x : y;
      case MINIMUM -> order(x, y) <= 0 ? x : y;
      case POWER -> power(x, y);
      case LOGICAL_AND -> x & y;
      case LOGICAL_OR -> x | y;
      case LOGICAL_XOR -> x ^ y;
      case FLOOR_DIVIDE -> y == 0 ? 0 : unsigned ? Long.divideUnsigned(x, y) : Math.floorDiv(x, y);
      case MOD -> y == 0 ? 0 : unsigned ? Long.remainderUnsigned(x, y) : x % y;
      case FLOOR_MOD -> y == 0 ? 0 : unsigned ? Long.remainderUnsigned(x, y) : Math.floorMod(x, y);
      case BITWISE_AND -> x & y;
      case BITWISE_OR -> x | y;
      case BITWISE_XOR -> x ^ y;
      case LEFT_SHIFT -> y < 0 || y >= Long.SIZE ? 0 : x << y;
      case RIGHT_SHIFT -> rightShift(x, y);
    };
  }

  private long rightShift(long x, long count) {
    boolean out = count < 0 || count >= Long.SIZE;
    if (unsigned) {
      return out ? 0 : x >>> count;
    }
    return x >> (out ? Long.SIZE - 1 : count);
  }

  private int order(long x, long y) {
    return unsigned ? Long.compareUnsigned(x, y) : Long.compare(x, y);
  }

  private long power(long base, long exponent) {
    if (exponent < 0 && !unsigned) {
      return base == 1 || (base == -1 && (exponent & 1) == 0) ? 1 : base == -1 ? -1 : 0;
    }
    long result = 1;
    long square = base;
    for (long left = exponent; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** Brings unsigned integers into the order of signed ones. */
  private long flip() {
    return unsigned ? Long.MIN_VALUE : 0;
  }

  @Override
  public void compare(Comparison op, long[] a, long[] b, int[] out, int count) {
    switch (op) {
      case EQUAL -> differ(a, b, out, count, 1);
      case NOT_EQUAL -> differ(a, b, out, count, 0);
      case LESS -> less(a, b, out, count, 0);
      case LESS_EQUAL -> less(b, a, out, count, 1);
      case GREATER -> less(b, a, out, count, 0);
      case GREATER_EQUAL -> less(a, b, out, count, 1);
    }
  }

  private static void differ(long[] a, long[] b, int[] out, int count, int flip) {
    for (int i = 0; i < count; i++) {
      long difference = a[i] ^ b[i];
      out[i] = (int) ((difference | -difference) >>> SIGN_SHIFT) ^ flip;
    }
  }

  /** The sign of a difference, or that of {@code a} where the difference may overflow. */
  private void less(long[] a, long[] b, int[] out, int count, int flip) {
    long order = flip();
    for (int i = 0; i < count; i++) {
      long x = a[i] ^ order;
      long y = b[i] ^ order;
      out[i] = (int) (((x & ~y) | (~(x ^ y) & (x - y))) >>> SIGN_SHIFT) ^ flip;
    }
  }

  @Override
  public void unary(UnaryOp op, long[] a, int count) {
    switch (op) {
      case NEGATIVE -> {
        for (int i = 0; i < count; i++) {
          a[i] = -a[i];
        }
      }
      case ABS -> {
        if (!unsigned) {
          for (int i = 0; i < count; i++) {
            a[i] = Math.abs(a[i]);
          }
        }
      }
      case RELU -> {
        if (!unsigned) {
          for (int i = 0; i < count; i++) {
            a[i] &= ~(a[i] >> SIGN_SHIFT);
          }
        }
      }
      case LOGICAL_NOT -> {
        for (int i = 0; i < count; i++) {
          a[i] ^= 1;
        }
      }
      case BITWISE_NOT -> {
        for (int i = 0; i < count; i++) {
          a[i] = ~a[i];
        }
      }
      case SIGN -> sign(a, count);
      case SQUARE -> {
        for (int i = 0; i < count; i++) {
          a[i] *= a[i];
        }
      }
      default -> throw new IllegalArgumentException(op + " is for floats");
    }
  }

  private void sign(long[] a, int count) {
    long negative = unsigned ? 0 : -1;
    for (int i = 0; i < count; i++) {
      a[i] = (a[i] >> SIGN_SHIFT & negative) | ((a[i] | -a[i]) >>> SIGN_SHIFT);
    }
  }

  @Override
  public void fold(BinaryOp op, long[] into, int at, long[] x, int count) {
    long value = into[at];
    for (int i = 0; i < count; i++) {
      value = apply(op, value, x[i]);
    }
    into[at] = value;
  }

  @Override
  public void multiplyAdd(long[] c, long[] a, int depth, long[][] rows, int count) {
    for (int p = 0; p < depth; p++) {
      long factor = a[p];
      long[] row = rows[p];
      for (int j = 0; j < count; j++) {
        c[j] += factor * row[j];
      }
    }
  }
}
