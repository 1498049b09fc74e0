package org.relaxvm.backendcpu.ordering;

import java.util.Arrays;

/** Integers modulo 2^64. */
final class LongScan extends Scan<long[]> {
  private final long[] row;
  private long line;

  LongScan(boolean product, boolean exclusive, int longestRow) {
    super(product, exclusive);
    this.row = new long[longestRow];
  }

  @Override
  void start() {
    line = product ? 1 : 0;
    Arrays.fill(row, line);
  }

  @Override
  void next(long[] x, int count) {
    line = product ? products(x, count, line, exclusive) : sums(x, count, line, exclusive);
  }

  private static long sums(long[] x, int count, long before, boolean exclusive) {
    long all = before;
    int i = 0;
    // The sum waits for one addition in four elements.
    for (; i <= count - 4; i += 4) {
      long one = x[i];
      long two = one + x[i + 1];
      long three = two + x[i + 2];
      long four = two + (x[i + 2] + x[i + 3]);
      x[i] = exclusive ? all : all + one;
      x[i + 1] = all + (exclusive ? one : two);
      x[i + 2] = all + (exclusive ? two : three);
      x[i + 3] = all + (exclusive ? three : four);
      all += four;
    }
    for (; i < count; i++) {
      long last = all;
      all += x[i];
      x[i] = exclusive ? last : all;
    }
    return all;
  }

  private static long products(long[] x, int count, long before, boolean exclusive) {
    long all = before;
    int i = 0;
    // The product waits for one multiplication in four elements.
    for (; i <= count - 4; i += 4) {
      long one = x[i];
      long two = one * x[i + 1];
      long three = two * x[i + 2];
      long four = two * (x[i + 2] * x[i + 3]);
      x[i] = exclusive ? all : all * one;
      x[i + 1] = all * (exclusive ? one : two);
      x[i + 2] = all * (exclusive ? two : three);
      x[i + 3] = all * (exclusive ? three : four);
      all *= four;
    }
    for (; i < count; i++) {
      long last = all;
      all *= x[i];
      x[i] = exclusive ? last : all;
    }
    return all;
  }

  @Override
  void row(long[] x, int count) {
    if (product) {
      multiply(x, row, count, exclusive);
    } else {
      add(x, row, count, exclusive);
    }
  }

  private static void add(long[] x, long[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        long last = all[i];
        all[i] += x[i];
        x[i] = last;
      }
    } else {
      for (int i = 0; i < count; i++) {
        all[i] += x[i];
        x[i] = all[i];
      }
    }
  }

  private static void multiply(long[] x, long[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        long last = all[i];
        all[i] *= x[i];
        x[i] = last;
      }
    } else {
      for (int i = 0; i < count; i++) {
        all[i] *= x[i];
        x[i] = all[i];
      }
    }
  }
}
