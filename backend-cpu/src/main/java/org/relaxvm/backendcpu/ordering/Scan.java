package org.relaxvm.backendcpu.ordering;

/**
 * Replaces the elements of a line, run by run, by what comes together up to each of them. One
 * thread's.
 *
 * @param <A> the array type
 */
abstract class Scan<A> {
  final boolean product;
  final boolean exclusive;

  private Scan(boolean product, boolean exclusive) {
    this.product = product;
    this.exclusive = exclusive;
  }

  /** Begins a line. */
  abstract void start();

  /** Replaces the next elements. */
  abstract void next(A values, int count);

  /** In float64. */
  static final class Floats extends Scan<double[]> {
    private double all;

    Floats(boolean product, boolean exclusive) {
      super(product, exclusive);
    }

    @Override
    void start() {
      all = product ? 1 : 0;
    }

    @Override
    void next(double[] values, int count) {
      for (int i = 0; i < count; i++) {
        double before = all;
        all = product ? before * values[i] : before + values[i];
        values[i] = exclusive ? before : all;
      }
    }
  }

  /** Modulo 2^64. */
  static final class Integers extends Scan<long[]> {
    private long all;

    Integers(boolean product, boolean exclusive) {
      super(product, exclusive);
    }

    @Override
    void start() {
      all = product ? 1 : 0;
    }

    @Override
    void next(long[] values, int count) {
      for (int i = 0; i < count; i++) {
        long before = all;
        all = product ? before * values[i] : before + values[i];
        values[i] = exclusive ? before : all;
      }
    }
  }
}
