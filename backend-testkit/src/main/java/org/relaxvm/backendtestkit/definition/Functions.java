package org.relaxvm.backendtestkit.definition;

import org.relaxvm.api.kernels.Activation;

/** Functions of a float that Java's library lacks. */
final class Functions {
  private Functions() {}

  static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  static double silu(double x) {
    // The limit, where the product is infinity times 0.
    return x == Double.NEGATIVE_INFINITY ? -0.0 : x * sigmoid(x);
  }

  static double gelu(double x) {
    return x == Double.NEGATIVE_INFINITY ? -0.0 : x * (1 + erf(x / Math.sqrt(2))) / 2;
  }

  /** The integral of its definition by Simpson's rule; its error is far below float64's epsilon. */
  static double erf(double x) {
    if (Math.abs(x) > 6) {
      return Math.signum(x);
    }
    int steps = 1000;
    double h = x / steps;
    double sum = 1 + Math.exp(-x * x);
    for (int i = 1; i < steps; i++) {
      sum += (i % 2 == 0 ? 2 : 4) * Math.exp(-h * i * h * i);
    }
    return 2 / Math.sqrt(Math.PI) * sum * h / 3;
  }

  static double activate(Activation activation, double x) {
    return switch (activation) {
      case NONE -> x;
      case RELU -> Math.max(x, 0);
      case GELU -> gelu(x);
      case SILU -> silu(x);
      case SIGMOID -> sigmoid(x);
      case TANH -> Math.tanh(x);
    };
  }
}
