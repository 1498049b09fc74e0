package org.relaxvm.backendcpu.kernel.normalization;

/**
 * Passes over rows of equal width that follow on each other in an array, the first element of each
 * row at its column. Results do not depend on what lies after the rows. Stateless and thread-safe.
 *
 * @param <A> the array type
 */
public interface ColumnMath<A> {
  /** An array of zeros. */
  A array(int length);

  /** The mean of each column. */
  void means(A x, int rows, int width, A means);

  /** The sum of the squares of the distances of each column from its centre. */
  void squares(A x, int rows, int width, A centres, A squares);

  /**
   * Joins the statistics of further rows with those of columns, which are in float64.
   *
   * @param share of the rows among all that there are then
   * @param weight of the squared distance of the means
   */
  void join(
      A means, A squares, int width, double share, double weight, double[] mean, double[] sum);

  /** Writes each number into as many neighbours as asked for. */
  void repeat(double[] numbers, int count, int times, A into);

  /**
   * {@code x = (x - centre) scale gamma + beta} by columns.
   *
   * @param count of elements; the last row may be cut short
   * @param step from one row of the factors and summands to the next: the width, or 0 for one row
   */
  void normalize(A x, int count, int width, A centre, A scale, A gamma, A beta, int step);
}
