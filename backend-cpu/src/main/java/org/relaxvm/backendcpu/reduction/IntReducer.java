package org.relaxvm.backendcpu.reduction;

import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;

/** Folds integers that fit 32 bits with their sign, modulo 2^32: the low bits are the same. */
final class IntReducer extends ArrayReducer<int[], long[]> {
  IntReducer(BinaryOp op, Codec<int[]> codec, long step) {
    super(op, codec, step);
  }

  @Override
  void line(int[] x, int from, int to, long[] results, int at, boolean first) {
    switch (op) {
      case ADD -> results[at] = sum(x, from, to) + (first ? 0 : results[at]);
      case MULTIPLY -> results[at] = product(x, from, to) * (first ? 1 : results[at]);
      case MAXIMUM -> {
        int largest = largest(x, from, to);
        results[at] = first ? largest : Math.max(results[at], largest);
      }
      case MINIMUM -> {
        int smallest = smallest(x, from, to);
        results[at] = first ? smallest : Math.min(results[at], smallest);
      }
      default -> throw new IllegalArgumentException(op + " folds nothing");
    }
  }

  private static int sum(int[] x, int from, int to) {
    int result = 0;
    for (int i = from; i < to; i++) {
      result += x[i];
    }
    return result;
  }

  private static int product(int[] x, int from, int to) {
    int result = 1;
    for (int i = from; i < to; i++) {
      result *= x[i];
    }
    return result;
  }

  private static int largest(int[] x, int from, int to) {
    int result = x[from];
    for (int i = from + 1; i < to; i++) {
      result = Math.max(result, x[i]);
    }
    return result;
  }

  private static int smallest(int[] x, int from, int to) {
    int result = x[from];
    for (int i = from + 1; i < to; i++) {
      result = Math.min(result, x[i]);
    }
    return result;
  }

  @Override
  void copy(int[] x, int count, long[] results) {
    for (int i = 0; i < count; i++) {
      results[i] = x[i];
    }
  }

  @Override
  void row(int[] x, int count, long[] results) {
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
