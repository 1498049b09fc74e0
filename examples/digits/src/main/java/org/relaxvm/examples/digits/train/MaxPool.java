package org.relaxvm.examples.digits.train;

import java.util.Arrays;
import java.util.List;

/**
 * Halves the sides of each channel, keeping the largest of every 2x2 block.
 *
 * @param channels number of planes
 * @param side input side in pixels; even
 */
record MaxPool(int channels, int side) implements Layer {
  @Override
  public int inputSize() {
    return channels * side * side;
  }

  @Override
  public int outputSize() {
    return channels * side * side / 4;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of();
  }

  @Override
  public void forward(float[] in, float[] out) {
    for (int i = 0; i < outputSize(); i++) {
      out[i] = in[largest(in, i)];
    }
  }

  @Override
  public void backward(
      float[] in,
      float[] out,
      float[] outGradient,
      float[] inGradient,
      List<float[]> parameterGradients) {
    Arrays.fill(inGradient, 0);
    for (int i = 0; i < outputSize(); i++) {
      inGradient[largest(in, i)] += outGradient[i];
    }
  }

  /** Returns where the largest input of an output's block is; the first one of equals. */
  private int largest(float[] in, int output) {
    int half = side / 2;
    // Rows of all channels follow each other, so output row r reads input rows 2r and 2r + 1.
    int topLeft = output / half * 2 * side + output % half * 2;
    int best = topLeft;
    best = in[topLeft + 1] > in[best] ? topLeft + 1 : best;
    best = in[topLeft + side] > in[best] ? topLeft + side : best;
    return in[topLeft + side + 1] > in[best] ? topLeft + side + 1 : best;
  }
}
