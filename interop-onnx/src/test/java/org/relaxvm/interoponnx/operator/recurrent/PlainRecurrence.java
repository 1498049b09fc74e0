package org.relaxvm.interoponnx.operator.recurrent;

import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Recurrent layers of one direction, step by step, as their definitions have them. */
final class PlainRecurrence {
  final int steps;
  final int batch;
  final int inputs;
  final int size;
  final int gates;
  float[] w = {};
  float[] r = {};
  float @Nullable [] bias;
  float @Nullable [] peepholes;
  int @Nullable [] lengths;
  double[][] h;
  double[][] c;
  double clip = Double.POSITIVE_INFINITY;
  boolean reverse;
  boolean linearBeforeReset;
  boolean inputForget;
  DoubleUnaryOperator f = x -> 1 / (1 + Math.exp(-x));
  DoubleUnaryOperator g = Math::tanh;

  PlainRecurrence(int steps, int batch, int inputs, int size, int gates) {
    this.steps = steps;
    this.batch = batch;
    this.inputs = inputs;
    this.size = size;
    this.gates = gates;
    h = new double[batch][size];
    c = new double[batch][size];
  }

  /** All hidden states, {@code [steps][batch][size]}. */
  double[][][] run(float[] x) {
    double[][][] y = new double[steps][batch][size];
    for (int b = 0; b < batch; b++) {
      int length = lengths == null ? steps : lengths[b];
      for (int s = 0; s < length; s++) {
        int t = reverse ? length - 1 - s : s;
        step(x, t, b);
        y[t][b] = h[b].clone();
      }
    }
    return y;
  }

  private double input(float[] x, int t, int b, int row) {
    double sum = bias == null ? 0 : bias[row];
    for (int i = 0; i < inputs; i++) {
      sum += x[(t * batch + b) * inputs + i] * w[row * inputs + i];
    }
    return sum;
  }

  private double recurrent(double[] state, int row) {
    double sum = bias == null ? 0 : bias[gates * size + row];
    for (int i = 0; i < size; i++) {
      sum += state[i] * r[row * size + i];
    }
    return sum;
  }

  private double apply(DoubleUnaryOperator function, double x) {
    return function.applyAsDouble(Math.clamp(x, -clip, clip));
  }

  private double peephole(int gate, int unit, double cell) {
    return peepholes == null ? 0 : peepholes[gate * size + unit] * cell;
  }

  private void step(float[] x, int t, int b) {
    double[] old = h[b];
    double[] next = new double[size];
    switch (gates) {
      case 1 -> {
        for (int i = 0; i < size; i++) {
          next[i] = apply(g, input(x, t, b, i) + recurrent(old, i));
        }
      }
      case 3 -> gru(x, t, b, old, next);
      default -> lstm(x, t, b, old, next);
    }
    h[b] = next;
  }

  private void gru(float[] x, int t, int b, double[] old, double[] next) {
    double[] reset = new double[size];
    double[] gated = new double[size];
    for (int i = 0; i < size; i++) {
      reset[i] = apply(f, input(x, t, b, size + i) + recurrent(old, size + i));
      gated[i] = reset[i] * old[i];
    }
    for (int i = 0; i < size; i++) {
      double z = apply(f, input(x, t, b, i) + recurrent(old, i));
      double own =
          linearBeforeReset
              ? reset[i] * recurrent(old, 2 * size + i)
              : recurrent(gated, 2 * size + i);
      double n = apply(g, input(x, t, b, 2 * size + i) + own);
      next[i] = (1 - z) * n + z * old[i];
    }
  }

  private void lstm(float[] x, int t, int b, double[] old, double[] next) {
    for (int i = 0; i < size; i++) {
      double cell = c[b][i];
      double in = apply(f, input(x, t, b, i) + recurrent(old, i) + peephole(0, i, cell));
      double forget =
          inputForget
              ? 1 - in
              : apply(
                  f,
                  input(x, t, b, 2 * size + i)
                      + recurrent(old, 2 * size + i)
                      + peephole(2, i, cell));
      double candidate = apply(g, input(x, t, b, 3 * size + i) + recurrent(old, 3 * size + i));
      double fresh = forget * cell + in * candidate;
      double out =
          apply(f, input(x, t, b, size + i) + recurrent(old, size + i) + peephole(1, i, fresh));
      c[b][i] = fresh;
      next[i] = out * apply(g, fresh);
    }
  }
}
