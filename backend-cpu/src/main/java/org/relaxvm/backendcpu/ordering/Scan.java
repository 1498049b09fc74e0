package org.relaxvm.backendcpu.ordering;

/**
 * Replaces the elements of a line, or of rows, by what comes together up to each of them. One
 * thread's.
 *
 * @param <A> the array type
 */
abstract class Scan<A> {
  final boolean product;
  final boolean exclusive;

  Scan(boolean product, boolean exclusive) {
    this.product = product;
    this.exclusive = exclusive;
  }

  /** Begins a line or rows. */
  abstract void start();

  /** Replaces the next elements of the line. */
  abstract void next(A x, int count);

  /** Replaces the elements of the next row. */
  abstract void row(A x, int count);
}
