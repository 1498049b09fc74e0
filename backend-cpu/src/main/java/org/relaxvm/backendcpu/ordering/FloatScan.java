package org.relaxvm.backendcpu.ordering;

import java.util.Arrays;

/** Floats of up to 32 bits, in float64. */
final class FloatScan extends Scan<float[]> {
  private final double[] row;
  private double line;

  FloatScan(boolean product, boolean exclusive, int longestRow) {
    super(product, exclusive);
    this.row = new double[longestRow];
  }

  @Override
  void start() {
    line = product ? 1 : 0;
    Arrays.fill(row, line);
  }

  @Override
  void next(float[] x, int count) {
    line = product ? products(x, count, line, exclusive) : sums(x, count, line, exclusive);
  }

  private static double sums(float[] x, int count, double before, boolean exclusive) {
    double all = before;
    int i = 0;
    // The sum waits for one addition in four elements.
    for (; i <= count - 4; i += 4) {
      double one = x[i];
      double two = one + x[i + 1];
      double three = two + x[i + 2];
      double four = two + ((double) x[i + 2] + x[i + 3]);
      x[i] = (float) (exclusive ? all : all + one);
      x[i + 1] = (float) (all + (exclusive ? one : two));
      x[i + 2] = (float) (all + (exclusive ? two : three));
      x[i + 3] = (float) (all + (exclusive ? three : four));
      all += four;
    }
    for (; i < count; i++) {
      double last = all;
      all += x[i];
      x[i] = (float) (exclusive ? last : all);
    }
    return all;
  }

  private static double products(float[] x, int count, double before, boolean exclusive) {
    double all = before;
    int i = 0;
    // The product waits for one multiplication in four elements.
    for (; i <= count - 4; i += 4) {
      double one = x[i];
      double two = one * x[i + 1];
      double three = two * x[i + 2];
      double four = two * ((double) x[i + 2] * x[i + 3]);
      x[i] = (float) (exclusive ? all : all * one);
      x[i + 1] = (float) (all * (exclusive ? one : two));
      x[i + 2] = (float) (all * (exclusive ? two : three));
      x[i + 3] = (float) (all * (exclusive ? three : four));
      all *= four;
    }
    for (; i < count; i++) {
      double last = all;
      all *= x[i];
      x[i] = (float) (exclusive ? last : all);
    }
    return all;
  }

  @Override
  void row(float[] x, int count) {
    if (product) {
      multiply(x, row, count, exclusive);
    } else {
      add(x, row, count, exclusive);
    }
  }

  private static void add(float[] x, double[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        double last = all[i];
        all[i] += x[i];
        x[i] = (float) last;
      }
    } else {
      for (int i = 0; i < count; i++) {
        all[i] += x[i];
        x[i] = (float) all[i];
      }
    }
  }

  private static void multiply(float[] x, double[] all, int count, boolean exclusive) {
    if (exclusive) {
      for (int i = 0; i < count; i++) {
        double last = all[i];
        all[i] *= x[i];
        x[i] = (float) last;
      }
    } else {
      for (int i = 0; i < count; i++) {
        all[i] *= x[i];
        x[i] = (float) all[i];
      }
    }
  }
}
