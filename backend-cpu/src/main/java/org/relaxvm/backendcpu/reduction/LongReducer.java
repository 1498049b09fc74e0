package org.relaxvm.backendcpu.reduction;

import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;

/** Folds integers modulo 2^64. */
final class LongReducer extends ArrayReducer<long[], long[]> {
  private final long flip;

  /**
   * A fold.
   *
   * @param unsigned whether the elements are uint64, whose order is that of their flipped bits
   */
  LongReducer(BinaryOp op, Codec<long[]> codec, long step, boolean unsigned) {
    super(op, codec, step);
    this.flip = unsigned ? Long.MIN_VALUE : 0;
  }

  @Override
  void line(long[] x, int from, int to, long[] results, int at, boolean first) {
    switch (op) {
      case ADD -> results[at] = sum(x, from, to) + (first ? 0 : results[at]);
      case MULTIPLY -> results[at] = product(x, from, to) * (first ? 1 : results[at]);
      case MAXIMUM -> {
        long largest = largest(x, from, to, flip);
        results[at] = (first ? largest : Math.max(results[at] ^ flip, largest)) ^ flip;
      }
      case MINIMUM -> {
        long smallest = smallest(x, from, to, flip);
        results[at] = (first ? smallest : Math.min(results[at] ^ flip, smallest)) ^ flip;
      }
      default -> throw new IllegalArgumentException(op + " folds nothing");
    }
  }

  private static long sum(long[] x, int from, int to) {
    long result = 0;
    for (int i = from; i < to; i++) {
      result += x[i];
    }
    return result;
  }

  private static long product(long[] x, int from, int to) {
    long result = 1;
    for (int i = from; i < to; i++) {
      result *= x[i];
    }
    return result;
  }

  private static long largest(long[] x, int from, int to, long flip) {
    long result = x[from] ^ flip;
    for (int i = from + 1; i < to; i++) {
      result = Math.max(result, x[i] ^ flip);
    }
    return result;
  }

  private static long smallest(long[] x, int from, int to, long flip) {
    long result = x[from] ^ flip;
    for (int i = from + 1; i < to; i++) {
      result = Math.min(result, x[i] ^ flip);
    }
    return result;
  }

  @Override
  void copy(long[] x, int count, long[] results) {
    for (int i = 0; i < count; i++) {
      results[i] = x[i];
    }
  }

  @Override
  void row(long[] x, int count, long[] results) {
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
          results[i] = Math.max(results[i] ^ flip, x[i] ^ flip) ^ flip;
        }
      }
      case MINIMUM -> {
        for (int i = 0; i < count; i++) {
          results[i] = Math.min(results[i] ^ flip, x[i] ^ flip) ^ flip;
        }
      }
      default -> throw new IllegalArgumentException(op + " folds nothing");
    }
  }
}
