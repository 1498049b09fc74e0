package org.relaxvm.backendcpu.kernel.normalization;

/**
 * The statistics of lines of equal counts: means, and sums of the squares of the distances from
 * them. Without centres the means are 0.
 */
final class Moments {
  final double[] mean;
  final double[] squares;
  double count;

  Moments(int lines) {
    this.mean = new double[lines];
    this.squares = new double[lines];
  }

  /** Joins the statistics of further elements of the same lines. */
  void join(Moments other) {
    double share = other.count / (count + other.count);
    double weight = count * share;
    for (int i = 0; i < mean.length; i++) {
      double distance = other.mean[i] - mean[i];
      mean[i] += distance * share;
      squares[i] += other.squares[i] + distance * distance * weight;
    }
    count += other.count;
  }
}
