package com.example.metering.kernels;

import org.relaxvm.api.kernels.Activation;

/** The functions that matmul and conv2d apply to each element at the end. */
final class Epilogue {
  private Epilogue() {}

  static float apply(Activation activation, double x) {
    return (float)
        switch (activation) {
          case NONE -> x;
          case RELU -> Math.max(x, 0);
          case GELU -> x * (1 + erf(x / Math.sqrt(2))) / 2;
          case SILU -> x / (1 + Math.exp(-x));
          case SIGMOID -> 1 / (1 + Math.exp(-x));
          case TANH -> Math.tanh(x);
        };
  }

  /** Operations for each element: the activation, and adding the bias. */
  static long operations(Activation activation, boolean bias) {
    return (activation == Activation.NONE ? 0 : 1) + (bias ? 1 : 0);
  }

  /** The error function to seven digits: Abramowitz and Stegun, 7.1.26. */
  private static double erf(double x) {
    double t = 1 / (1 + 0.3275911 * Math.abs(x));
    double polynomial =
        t
            * (0.254829592
                + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
    return Math.copySign(1 - polynomial * Math.exp(-x * x), x);
  }
}
