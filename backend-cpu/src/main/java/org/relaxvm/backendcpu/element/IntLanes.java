package org.relaxvm.backendcpu.element;

import java.util.Arrays;

/**
 * Integer arithmetic modulo 2^32, in portable Java; booleans are 0 and 1. Without branches where it
 * counts.
 */
public class IntLanes extends Lanes<int[]> {
  static final IntLanes INSTANCE = new IntLanes();

  private static final int SIGN_SHIFT = Integer.SIZE - 1;

  /** Creates the arithmetic. */
  public IntLanes() {}

  @Override
  public int[] array(int length) {
    return new int[length];
  }

  @Override
  public int[][] arrays(int count, int length) {
    return new int[count][length];
  }

  @Override
  public void fill(int[] into, int from, int to, double value) {
    Arrays.fill(into, from, to, (int) (long) value);
  }

  @Override
  public void binary(BinaryOp op, int[] a, int[] b, int from, int to) {
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
        for (int i = from; i < to; i++) {
          a[i] = Math.max(a[i], b[i]);
        }
      }
      case MINIMUM -> {
        for (int i = from; i < to; i++) {
          a[i] = Math.min(a[i], b[i]);
        }
      }
      case LOGICAL_AND, BITWISE_AND -> {
        for (int i = from; i < to; i++) {
          a[i] &= b[i];
        }
      }
      case LOGICAL_OR, BITWISE_OR -> {
        for (int i = from; i < to; i++) {
          a[i] |= b[i];
        }
      }
      case LOGICAL_XOR, BITWISE_XOR -> {
        for (int i = from; i < to; i++) {
          a[i] ^= b[i];
        }
      }
      case DIVIDE -> divide(a, b, from, to);
      case FLOOR_DIVIDE -> floorDivide(a, b, from, to);
      case MOD -> mod(a, b, from, to);
      case FLOOR_MOD -> floorMod(a, b, from, to);
      case LEFT_SHIFT -> leftShift(a, b, from, to);
      case RIGHT_SHIFT -> rightShift(a, b, from, to);
      case POWER -> {
        for (int i = from; i < to; i++) {
          a[i] = (int) LongLanes.SIGNED.apply(op, a[i], b[i]);
        }
      }
    }
  }

  // Methods of their own: in one with all others the JIT compiler stops making vector code.
  private static void divide(int[] a, int[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = quotient(a[i], b[i]);
    }
  }

  private static void floorDivide(int[] a, int[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = floorQuotient(a[i], b[i]);
    }
  }

  private static void mod(int[] a, int[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = (a[i] - b[i] * quotient(a[i], b[i])) & ones(b[i]);
    }
  }

  private static void floorMod(int[] a, int[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = (a[i] - b[i] * floorQuotient(a[i], b[i])) & ones(b[i]);
    }
  }

  private static void leftShift(int[] a, int[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = (a[i] << b[i]) & ~ones(b[i] & -Integer.SIZE);
    }
  }

  private static void rightShift(int[] a, int[] b, int from, int to) {
    for (int i = from; i < to; i++) {
      a[i] = a[i] >> ((b[i] | ones(b[i] & -Integer.SIZE)) & SIGN_SHIFT);
    }
  }

  /**
   * Vectors divide doubles only, which tell quotients of 32 bits from the next integer; by way of
   * {@code long}, 2^31 wraps around.
   */
  private static int quotient(int x, int y) {
    return (int) (long) ((double) x / y) & ones(y);
  }

  private static int floorQuotient(int x, int y) {
    return (int) (long) Math.floor((double) x / y) & ones(y);
  }

  /** All bits, or none if the argument is 0. */
  private static int ones(int x) {
    return (x | -x) >> SIGN_SHIFT;
  }

  @Override
  public void compare(Comparison op, int[] a, int[] b, int[] out, int count) {
    switch (op) {
      case EQUAL -> differ(a, b, out, count, 1);
      case NOT_EQUAL -> differ(a, b, out, count, 0);
      case LESS -> less(a, b, out, count, 0);
      case LESS_EQUAL -> less(b, a, out, count, 1);
      case GREATER -> less(b, a, out, count, 0);
      case GREATER_EQUAL -> less(a, b, out, count, 1);
    }
  }

  private static void differ(int[] a, int[] b, int[] out, int count, int flip) {
    for (int i = 0; i < count; i++) {
      int difference = a[i] ^ b[i];
      out[i] = ((difference | -difference) >>> SIGN_SHIFT) ^ flip;
    }
  }

  /** The sign of a difference, or that of {@code a} where the difference may overflow. */
  private static void less(int[] a, int[] b, int[] out, int count, int flip) {
    for (int i = 0; i < count; i++) {
      int x = a[i];
      int y = b[i];
      out[i] = (((x & ~y) | (~(x ^ y) & (x - y))) >>> SIGN_SHIFT) ^ flip;
    }
  }

  @Override
  public void unary(UnaryOp op, int[] a, int count) {
    switch (op) {
      case NEGATIVE -> {
        for (int i = 0; i < count; i++) {
          a[i] = -a[i];
        }
      }
      case ABS -> {
        for (int i = 0; i < count; i++) {
          a[i] = Math.abs(a[i]);
        }
      }
      case RELU -> {
        for (int i = 0; i < count; i++) {
          a[i] = Math.max(a[i], 0);
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
      case SIGN -> {
        for (int i = 0; i < count; i++) {
          a[i] = (a[i] >> SIGN_SHIFT) | (-a[i] >>> SIGN_SHIFT);
        }
      }
      case SQUARE -> {
        for (int i = 0; i < count; i++) {
          a[i] *= a[i];
        }
      }
      default -> throw new IllegalArgumentException(op + " is for floats");
    }
  }

  @Override
  public void fold(BinaryOp op, int[] into, int at, int[] x, int count) {
    int value = into[at];
    for (int i = 0; i < count; i++) {
      value = (int) LongLanes.SIGNED.apply(op, value, x[i]);
    }
    into[at] = value;
  }

  @Override
  public void multiplyAdd(int[] c, int[] a, int depth, int[][] rows, int count) {
    for (int p = 0; p < depth; p++) {
      int factor = a[p];
      int[] row = rows[p];
      for (int j = 0; j < count; j++) {
        c[j] += factor * row[j];
      }
    }
  }
}
