package org.relaxvm.backendcpu.element;

import java.util.Arrays;

/**
 * Arithmetic in float, in portable Java.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why are `DoubleLanes` and `FloatLanes` the same
 * code for two primitive types?"
 */
public class FloatLanes extends Lanes<float[]> {
  /** Creates the arithmetic. */
  public FloatLanes() {}

  @Override
  public float[] array(int length) {
    return new float[length];
  }

  @Override
  public float[][] arrays(int count, int length) {
    return new float[count][length];
  }

  @Override
  public void fill(float[] into, int from, int to, double value) {
    Arrays.fill(into, from, to, (float) value);
  }

  @Override
  public void binary(BinaryOp op, float[] a, float[] b, int from, int to) {
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
          a[i] = (float) DoubleLanes.power(a[i], b[i]);
        }
      }
      case FLOOR_DIVIDE -> {
        for (int i = from; i < to; i++) {
          a[i] = (float) Math.floor((double) a[i] / b[i]);
        }
      }
      case MOD, FLOOR_MOD -> {
        for (int i = from; i < to; i++) {
          a[i] = (float) DoubleLanes.rest(op, a[i], b[i]);
        }
      }
      default -> throw new IllegalArgumentException(op + " is not for floats");
    }
  }

  @Override
  public void compare(Comparison op, float[] a, float[] b, int[] out, int count) {
    for (int i = 0; i < count; i++) {
      float x = a[i];
      float y = b[i];
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
  public void unary(UnaryOp op, float[] a, int count) {
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
          a[i] = (float) Math.floor(a[i]);
        }
      }
      case CEIL -> {
        for (int i = 0; i < count; i++) {
          a[i] = (float) Math.ceil(a[i]);
        }
      }
      case ROUND -> {
        for (int i = 0; i < count; i++) {
          a[i] = (float) Math.rint(a[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          a[i] = (float) op.of(a[i]);
        }
      }
    }
  }

  @Override
  public void fold(BinaryOp op, float[] into, int at, float[] x, int count) {
    float value = into[at];
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
  private static float sum(float[] x, int count) {
    float sum0 = 0;
    float sum1 = 0;
    float sum2 = 0;
    float sum3 = 0;
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
  public void multiplyAdd(float[] c, float[] a, int depth, float[][] rows, int count) {
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
      float factor = a[p];
      float[] row = rows[p];
      for (int j = 0; j < count; j++) {
        c[j] += factor * row[j];
      }
    }
  }

  /** Four rows at once, so that {@code c} is read and written a quarter as often. */
  private static void addRows(
      float[] c,
      int count,
      float a0,
      float[] b0,
      float a1,
      float[] b1,
      float a2,
      float[] b2,
      float a3,
      float[] b3) {
    for (int j = 0; j < count; j++) {
      c[j] += a0 * b0[j] + a1 * b1[j] + (a2 * b2[j] + a3 * b3[j]);
    }
  }
}
