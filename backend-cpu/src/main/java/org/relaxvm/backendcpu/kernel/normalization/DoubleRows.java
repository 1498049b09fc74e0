package org.relaxvm.backendcpu.kernel.normalization;

/**
 * Passes over rows of float64, which are the first elements of arrays. Results do not depend on
 * what lies after a row. Stateless and thread-safe.
 */
public interface DoubleRows {
  /** The sum of a row. */
  double sum(double[] x, int count);

  /** The sum of the squares of the distances from a centre. */
  double squares(double[] x, int count, double centre);

  /** {@code x = (x - centre) scale gamma + beta}, with one factor and summand per element. */
  void normalize(double[] x, int count, double centre, double scale, double[] gamma, double[] beta);
}
