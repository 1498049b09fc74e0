package org.relaxvm.builtins.strings;

import java.util.Arrays;

/**
 * Probabilities of classes from those of pairs of classes: those whose odds in pairs are nearest to
 * the given ones, found by coordinate descent (Wu, Lin and Weng, 2004, second method).
 */
public final class Coupling {
  private static final int LEAST_ROUNDS = 100;
  private static final double LEAST_PROBABILITY = 1e-7;
  private static final double TOLERANCE = 0.005;

  private Coupling() {}

  /**
   * The probabilities of the classes.
   *
   * @param pairs the probability of the first class of each pair, in the order (0, 1), (0, 2), ...
   */
  public static double[] ofPairs(double[] pairs, int classes) {
    double[][] q = matrix(pairs, classes);
    double[] p = new double[classes];
    Arrays.fill(p, 1.0 / classes);
    if (classes == 2) {
      return new double[] {clamped(pairs[0]), 1 - clamped(pairs[0])};
    }
    double[] qp = new double[classes];
    for (int round = 0; round < Math.max(LEAST_ROUNDS, classes); round++) {
      double mean = 0;
      for (int t = 0; t < classes; t++) {
        qp[t] = 0;
        for (int j = 0; j < classes; j++) {
          qp[t] += q[t][j] * p[j];
        }
        mean += p[t] * qp[t];
      }
      double error = 0;
      for (double value : qp) {
        error = Math.max(error, Math.abs(value - mean));
      }
      if (error < TOLERANCE / classes) {
        break;
      }
      for (int t = 0; t < classes; t++) {
        double step = (mean - qp[t]) / q[t][t];
        double scale = 1 + step;
        mean = (mean + step * (step * q[t][t] + 2 * qp[t])) / scale / scale;
        p[t] += step;
        for (int j = 0; j < classes; j++) {
          qp[j] = (qp[j] + step * q[t][j]) / scale;
          p[j] /= scale;
        }
      }
    }
    return p;
  }

  private static double clamped(double probability) {
    return Math.clamp(probability, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY);
  }

  /** The form whose least value is at the probabilities. */
  private static double[][] matrix(double[] pairs, int classes) {
    double[][] r = new double[classes][classes];
    int pair = 0;
    for (int i = 0; i < classes; i++) {
      for (int j = i + 1; j < classes; j++, pair++) {
        r[i][j] = clamped(pairs[pair]);
        r[j][i] = 1 - r[i][j];
      }
    }
    double[][] q = new double[classes][classes];
    for (int t = 0; t < classes; t++) {
      for (int j = 0; j < classes; j++) {
        if (j != t) {
          q[t][t] += r[j][t] * r[j][t];
          q[t][j] = -r[j][t] * r[t][j];
        }
      }
    }
    return q;
  }
}
