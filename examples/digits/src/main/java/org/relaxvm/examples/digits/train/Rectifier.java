package org.relaxvm.examples.digits.train;

import java.util.List;

/**
 * Replaces negative values by zero.
 *
 * @param size number of values
 */
record Rectifier(int size) implements Layer {
  @Override
  public int inputSize() {
    return size;
  }

  @Override
  public int outputSize() {
    return size;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of();
  }

  @Override
  public void forward(float[] in, float[] out) {
    for (int i = 0; i < size; i++) {
      out[i] = Math.max(0, in[i]);
    }
  }

  @Override
  public void backward(
      float[] in,
      float[] out,
      float[] outGradient,
      float[] inGradient,
      List<float[]> parameterGradients) {
    for (int i = 0; i < size; i++) {
      inGradient[i] = in[i] > 0 ? outGradient[i] : 0;
    }
  }
}
