package org.relaxvm.backendcpu.ordering;

import java.util.Arrays;

/** float64. */
final class DoubleScan extends Scan<double[]> {
  private final double[] row;
  private double line;

  DoubleScan(boolean product, boolean exclusive, int longestRow) {
    super(product, exclusive);
    this.row = new double[longestRow];
  }

  @Override
  void start() {
    line = product ? 1 : 0;
    Arrays.fill(row, line);
  }

  @Override
  void next(double[] x, int count) {
    line = product ? products(x, count, line, exclusive) : sums(x, count, line, exclusive);
  }

  private static double sums(double[] x, int count, double before, boolean exclusive) {
    double all = before;
    int i = 0;
    // The sum waits for one addition in four elements.
    for (; i <= count - 4; i += 4) {
      double one = x[i];
      double two = one + x[i + 1];
      double three = two + x[i + 2];
      double four = two + (x[i + 2] + x[i + 3]);
      x[i] = exclusive ? all : all + one;
      x[i + 1] = all + (exclusive ? one : two);
      x[i + 2] = all + (exclusive ? two : three);
      x[i + 3] = all + (exclusive ? three : four);
      all += four;
    }
    for (; i < count; i++) {
      double last = all;
      all += x[i];
      x[i] = exclusive ? last : all;
    }
    return all;
  }

  private static double products(double[] x, int count, double before, boolean exclusive) {
    double all = before;
    int i = 0;
    // The product waits for one multiplication in four elements.
    for (; i <= count - 4; i += 4) {
      double one = x[i];
      double two = one * x[i + 1];
      double three = two * x[i + 2];
      double four = two * (x[i + 2] * x[i + 3]);
      x[i] = exclusive ? all : all * one;
      x[i + 1] = all * (exclusive ? one : two);
      x[i + 2] = all * (exclusive ? two : three);
      x[i + 3] = all * (exclusive ? three : four);
      all *= four;
    }
    for (; i < count; i++) {
      double last = all;
      all *= x[i];
      x[i] = exclusive ? last : all;
    }
    return all;
  }

  @Override
  void row(double[] x, int count) {
    if (product) {
      multiply(x, row, count, exclusive);
    } else {
      add(x, row, count, exclusive);
    }
  }

  private static void add(double[] x, double[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        double last = all[i];
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

  private static void multiply(double[] x, double[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        double last = all[i];
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
