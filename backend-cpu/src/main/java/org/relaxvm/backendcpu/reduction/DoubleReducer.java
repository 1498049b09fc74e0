package org.relaxvm.backendcpu.reduction;

import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;

/** Folds float64. */
final class DoubleReducer extends ArrayReducer<double[], double[]> {
  DoubleReducer(BinaryOp op, Codec<double[]> codec, long step) {
    super(op, codec, step);
  }

  @Override
  void line(double[] x, int from, int to, double[] results, int at, boolean first) {
    switch (op) {
      case ADD -> results[at] = sum(x, from, to) + (first ? 0 : results[at]);
      case MULTIPLY -> results[at] = product(x, from, to) * (first ? 1 : results[at]);
      case MAXIMUM -> {
        double largest = largest(x, from, to);
        results[at] = first ? largest : Math.max(results[at], largest);
      }
      case MINIMUM -> {
        double smallest = smallest(x, from, to);
        results[at] = first ? smallest : Math.min(results[at], smallest);
      }
      default -> throw new IllegalArgumentException(op + " folds nothing");
    }
  }

  private static double sum(double[] x, int from, int to) {
    double a0 = 0;
    double a1 = 0;
    double a2 = 0;
    double a3 = 0;
    int i = from;
    for (; i <= to - 4; i += 4) {
      a0 += x[i];
      a1 += x[i + 1];
      a2 += x[i + 2];
      a3 += x[i + 3];
    }
    for (; i < to; i++) {
      a0 += x[i];
    }
    return (a0 + a1) + (a2 + a3);
  }

  private static double product(double[] x, int from, int to) {
    double a0 = 1;
    double a1 = 1;
    double a2 = 1;
    double a3 = 1;
    int i = from;
    for (; i <= to - 4; i += 4) {
      a0 *= x[i];
      a1 *= x[i + 1];
      a2 *= x[i + 2];
      a3 *= x[i + 3];
    }
    for (; i < to; i++) {
      a0 *= x[i];
    }
    return (a0 * a1) * (a2 * a3);
  }

  private static double largest(double[] x, int from, int to) {
    double result = x[from];
    for (int i = from + 1; i < to; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  private static double smallest(double[] x, int from, int to) {
    double result = x[from];
    for (int i = from + 1; i < to; i++) {
      result = Math.min(result, x[i]);
    }
    return result;
  }

  @Override
  void copy(double[] x, int count, double[] results) {
    for (int i = 0; i < count; i++) {
      results[i] = x[i];
    }
  }

  @Override
  void row(double[] x, int count, double[] results) {
    switch (op) {
      case ADD -> {
        for (int i = 0; i < count; i++) {
          results[i] += x[i];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < count; i++) {
          results[i] *= x[i];
        }
      }
      case MAXIMUM -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.max(results[i], x[i]);
        }
      }
      case MINIMUM -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.min(results[i], x[i]);
        }
      }
      default -> throw new IllegalArgumentException(op + " folds nothing");
    }
  }
}
