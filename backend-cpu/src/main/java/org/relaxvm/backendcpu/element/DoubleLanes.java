package org.relaxvm.backendcpu.element;

import java.util.Arrays;

/** Arithmetic in double, in portable Java. */
public class DoubleLanes extends Lanes<double[]> {
  static final DoubleLanes INSTANCE = new DoubleLanes();

  /** Creates the arithmetic. */
  public DoubleLanes() {}

  @Override
  public double[] array(int length) {
    return new double[length];
  }

  @Override
  public double[][] arrays(int count, int length) {
    return new double[count][length];
  }

  @Override
  public void fill(double[] into, int from, int to, double value) {
    Arrays.fill(into, from, to, value);
  }

  @Override
  public void binary(BinaryOp op, double[] a, double[] b, int from, int to) {
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
      case DIVIDE -> {
        for (int i = from; i < to; i++) {
          a[i] /= b[i];
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
      case POWER -> {
        for (int i = from; i < to; i++) {
          a[i] = power(a[i], b[i]);
        }
      }
      case FLOOR_DIVIDE -> {
        for (int i = from; i < to; i++) {
          a[i] = Math.floor(a[i] / b[i]);
        }
      }
      case MOD, FLOOR_MOD -> {
        for (int i = from; i < to; i++) {
          a[i] = rest(op, a[i], b[i]);
        }
      }
      default -> throw new IllegalArgumentException(op + " is not for floats");
    }
  }

  @Override
  public void compare(Comparison op, double[] a, double[] b, int[] out, int count) {
    for (int i = 0; i < count; i++) {
      double x = a[i];
      double y = b[i];
      boolean holds =
          switch (op) {
            case EQUAL -> x == y;
            case NOT_EQUAL -> x != y;
            case LESS -> x < y;
            case LESS_EQUAL -> x <= y;
            case GREATER -> x > y;
            case GREATER_EQUAL -> x >= y;
          };
      out[i] = holds ? 1 : 0;
    }
  }

  @Override
  public void unary(UnaryOp op, double[] a, int count) {
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
      case SQUARE -> {
        for (int i = 0; i < count; i++) {
          a[i] = a[i] * a[i];
        }
      }
      case SIGN -> {
        for (int i = 0; i < count; i++) {
          a[i] = Math.signum(a[i]);
        }
      }
      case FLOOR -> {
        for (int i = 0; i < count; i++) {
          a[i] = Math.floor(a[i]);
        }
      }
      case CEIL -> {
        for (int i = 0; i < count; i++) {
          a[i] = Math.ceil(a[i]);
        }
      }
      case ROUND -> {
        for (int i = 0; i < count; i++) {
          a[i] = Math.rint(a[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          a[i] = op.of(a[i]);
        }
      }
    }
  }

  @Override
  public void fold(BinaryOp op, double[] into, int at, double[] x, int count) {
    double value = into[at];
    switch (op) {
      case ADD -> value += sum(x, count);
      case MULTIPLY -> {
        for (int i = 0; i < count; i++) {
          value *= x[i];
        }
      }
      case MAXIMUM -> {
        for (int i = 0; i < count; i++) {
          value = Math.max(value, x[i]);
        }
      }
      case MINIMUM -> {
        for (int i = 0; i < count; i++) {
          value = Math.min(value, x[i]);
        }
      }
      default -> throw new IllegalArgumentException(op + " does not fold");
    }
    into[at] = value;
  }

  /** Four sums at once: one would wait for each addition. */
  private static double sum(double[] x, int count) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int i = 0;
    for (; i + 3 < count; i += 4) {
      sum0 += x[i];
      sum1 += x[i + 1];
      sum2 += x[i + 2];
      sum3 += x[i + 3];
    }
    for (; i < count; i++) {
      sum0 += x[i];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  @Override
  public void multiplyAdd(double[] c, double[] a, int depth, double[][] rows, int count) {
    int p = 0;
    for (; p + 3 < depth; p += 4) {
      addRows(
          c,
          count,
          a[p],
          rows[p],
          a[p + 1],
          rows[p + 1],
          a[p + 2],
          rows[p + 2],
          a[p + 3],
          rows[p + 3]);
    }
    for (; p < depth; p++) {
      double factor = a[p];
      double[] row = rows[p];
      for (int j = 0; j < count; j++) {
        c[j] += factor * row[j];
      }
    }
  }

  /** Four rows at once, so that {@code c} is read and written a quarter as often. */
  private static void addRows(
      double[] c,
      int count,
      double a0,
      double[] b0,
      double a1,
      double[] b1,
      double a2,
      double[] b2,
      double a3,
      double[] b3) {
    for (int j = 0; j < count; j++) {
      c[j] += a0 * b0[j] + a1 * b1[j] + (a2 * b2[j] + a3 * b3[j]);
    }
  }

  /** What is left of a division, rounded toward 0 or down. */
  static double rest(BinaryOp op, double a, double b) {
    double rest = a % b;
    return op == BinaryOp.FLOOR_MOD && rest != 0 && rest < 0 != b < 0 ? rest + b : rest;
  }

  /** C's {@code pow}: unlike Java's, 1 to any power and any number to the power 0 are 1. */
  public static double power(double base, double exponent) {
    if (base == 1) {
      return 1;
    }
    boolean unitBase = base == -1 && Double.isInfinite(exponent);
    return unitBase ? 1 : Math.pow(base, exponent);
  }
}
