package org.relaxvm.examples.digits.train;

/** The softmax function over one row of scores. */
final class Softmax {
  private Softmax() {}

  /** Writes {@code exp(in[i]) / sum(exp(in))}, shifted by the maximum so that nothing overflows. */
  static void apply(float[] in, float[] out) {
    float max = Float.NEGATIVE_INFINITY;
    for (float value : in) {
      max = Math.max(max, value);
    }
    double sum = 0;
    for (int i = 0; i < in.length; i++) {
      out[i] = (float) StrictMath.exp(in[i] - max);
      sum += out[i];
    }
    for (int i = 0; i < in.length; i++) {
      out[i] = (float) (out[i] / sum);
    }
  }
}
