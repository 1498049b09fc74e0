package org.relaxvm.backendcpu.kernel.normalization;

/** Passes over columns in float64. */
final class PortableColumns implements ColumnMath<double[]> {
  @Override
  public double[] array(int length) {
    return new double[length];
  }

  @Override
  public void means(double[] x, int rows, int width, double[] means) {
    System.arraycopy(x, 0, means, 0, width);
    for (int row = 1; row < rows; row++) {
      int start = row * width;
      for (int i = 0; i < width; i++) {
        means[i] += x[start + i];
      }
    }
    for (int i = 0; i < width; i++) {
      means[i] /= rows;
    }
  }

  @Override
  public void squares(double[] x, int rows, int width, double[] centres, double[] squares) {
    for (int i = 0; i < width; i++) {
      squares[i] = 0;
    }
    for (int row = 0; row < rows; row++) {
      int start = row * width;
      for (int i = 0; i < width; i++) {
        double distance = x[start + i] - centres[i];
        squares[i] += distance * distance;
      }
    }
  }

  @Override
  public void join(
      double[] means,
      double[] squares,
      int width,
      double share,
      double weight,
      double[] mean,
      double[] sum) {
    for (int i = 0; i < width; i++) {
      double distance = means[i] - mean[i];
      mean[i] += distance * share;
      sum[i] += squares[i] + distance * distance * weight;
    }
  }

  @Override
  public void repeat(double[] numbers, int count, int times, double[] into) {
    for (int i = 0, at = 0; i < count; i++) {
      for (int end = at + times; at < end; at++) {
        into[at] = numbers[i];
      }
    }
  }

  @Override
  public void normalize(
      double[] x,
      int count,
      int width,
      double[] centre,
      double[] scale,
      double[] gamma,
      double[] beta,
      int step) {
    int factors = 0;
    for (int start = 0; start < count; start += width) {
      int columns = Math.min(width, count - start);
      for (int i = 0; i < columns; i++) {
        x[start + i] =
            (x[start + i] - centre[i]) * scale[i] * gamma[factors + i] + beta[factors + i];
      }
      factors += step;
    }
  }
}
