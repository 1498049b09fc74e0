package org.relaxvm.backendcpu.ordering;

import java.util.Arrays;

/** Integers that fit 32 bits with their sign, modulo 2^32. */
final class IntScan extends Scan<int[]> {
  private final int[] row;
  private int line;

  IntScan(boolean product, boolean exclusive, int longestRow) {
    super(product, exclusive);
    this.row = new int[longestRow];
  }

  @Override
  void start() {
    line = product ? 1 : 0;
    Arrays.fill(row, line);
  }

  @Override
  void next(int[] x, int count) {
    line = product ? products(x, count, line, exclusive) : sums(x, count, line, exclusive);
  }

  private static int sums(int[] x, int count, int before, boolean exclusive) {
    int all = before;
    int i = 0;
    // The sum waits for one addition in four elements.
    for (; i <= count - 4; i += 4) {
      int one = x[i];
      int two = one + x[i + 1];
      int three = two + x[i + 2];
      int four = two + (x[i + 2] + x[i + 3]);
      x[i] = exclusive ? all : all + one;
      x[i + 1] = all + (exclusive ? one : two);
      x[i + 2] = all + (exclusive ? two : three);
      x[i + 3] = all + (exclusive ? three : four);
      all += four;
    }
    for (; i < count; i++) {
      int last = all;
      all += x[i];
      x[i] = exclusive ? last : all;
    }
    return all;
  }

  private static int products(int[] x, int count, int before, boolean exclusive) {
    int all = before;
    int i = 0;
    // The product waits for one multiplication in four elements.
    for (; i <= count - 4; i += 4) {
      int one = x[i];
      int two = one * x[i + 1];
      int three = two * x[i + 2];
      int four = two * (x[i + 2] * x[i + 3]);
      x[i] = exclusive ? all : all * one;
      x[i + 1] = all * (exclusive ? one : two);
      x[i + 2] = all * (exclusive ? two : three);
      x[i + 3] = all * (exclusive ? three : four);
      all *= four;
    }
    for (; i < count; i++) {
      int last = all;
      all *= x[i];
      x[i] = exclusive ? last : all;
    }
    return all;
  }

  @Override
  void row(int[] x, int count) {
    if (product) {
      multiply(x, row, count, exclusive);
    } else {
      add(x, row, count, exclusive);
    }
  }

  private static void add(int[] x, int[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        int last = all[i];
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

  private static void multiply(int[] x, int[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        int last = all[i];
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
