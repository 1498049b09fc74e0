package org.relaxvm.backendcpu.kernel.attention;

/**
 * Arithmetic on rows and blocks of floats that lie in one array, as attention needs it. Stateless
 * and thread-safe.
 *
 * @param <A> the array type
 */
public interface BlockMath<A> {
  /** A new array of zeros. */
  A array(int length);

  /** The largest of some elements; NaN when one is NaN. */
  double largest(A x, int from, int to);

  /** Replaces each element by {@code exp(x - shift)} and returns their sum. */
  double exponentials(A x, int from, int to, double shift);

  /** Multiplies elements by a number. */
  void scale(A x, int from, int to, double factor);

  /** Copies the first elements of a row into a column. */
  void scatter(A row, int count, Block<A> column);

  /**
   * Adds a matrix product: {@code c[i, j] += sum over p of a[i, p] b[p, j]}.
   *
   * @param rows of {@code c} and {@code a}
   * @param depth columns of {@code a}, rows of {@code b}
   * @param columns of {@code c} and {@code b}
   */
  void multiplyAdd(Block<A> c, Block<A> a, int rows, Block<A> b, int depth, int columns);

  /**
   * A matrix in an array.
   *
   * @param values the array; shared
   * @param start index of the first element
   * @param step from one row to the next
   */
  record Block<A>(A values, int start, int step) {
    Block<A> row(int number) {
      return new Block<>(values, start + number * step, step);
    }

    Block<A> column(int number) {
      return new Block<>(values, start + number, step);
    }
  }
}
