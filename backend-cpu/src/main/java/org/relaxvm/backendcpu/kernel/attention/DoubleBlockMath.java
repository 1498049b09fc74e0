package org.relaxvm.backendcpu.kernel.attention;

/** Blocks of doubles in portable Java. */
final class DoubleBlockMath implements BlockMath<double[]> {
  @Override
  public double[] array(int length) {
    return new double[length];
  }

  @Override
  public double largest(double[] x, int from, int to) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = from; i < to; i++) {
      largest = Math.max(largest, x[i]);
    }
    return largest;
  }

  @Override
  public double exponentials(double[] x, int from, int to, double shift) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      x[i] = Math.exp(x[i] - shift);
      sum += x[i];
    }
    return sum;
  }

  @Override
  public void scale(double[] x, int from, int to, double factor) {
    for (int i = from; i < to; i++) {
      x[i] *= factor;
    }
  }

  @Override
  public void scatter(double[] row, int count, Block<double[]> column) {
    for (int i = 0; i < count; i++) {
      column.values()[column.start() + i * column.step()] = row[i];
    }
  }

  @Override
  public void multiplyAdd(
      Block<double[]> c, Block<double[]> a, int rows, Block<double[]> b, int depth, int columns) {
    for (int i = 0; i < rows; i++) {
      for (int p = 0; p < depth; p++) {
        double factor = a.values()[a.start() + i * a.step() + p];
        addRow(
            c.values(),
            c.start() + i * c.step(),
            factor,
            b.values(),
            b.start() + p * b.step(),
            columns);
      }
    }
  }

  private static void addRow(double[] c, int at, double factor, double[] b, int from, int count) {
    for (int j = 0; j < count; j++) {
      c[at + j] += factor * b[from + j];
    }
  }
}
