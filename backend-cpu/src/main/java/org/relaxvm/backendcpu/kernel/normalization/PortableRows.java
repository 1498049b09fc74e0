package org.relaxvm.backendcpu.kernel.normalization;

/** Passes over rows of float64 in portable Java. */
final class PortableRows implements DoubleRows {
  @Override
  public double sum(double[] x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += x[i];
    }
    return sum;
  }

  @Override
  public double squares(double[] x, int count, double centre) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      double distance = x[i] - centre;
      sum += distance * distance;
    }
    return sum;
  }

  @Override
  public void normalize(
      double[] x, int count, double centre, double scale, double[] gamma, double[] beta) {
    for (int i = 0; i < count; i++) {
      x[i] = (x[i] - centre) * scale * gamma[i] + beta[i];
    }
  }
}
