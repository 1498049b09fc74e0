package org.relaxvm.examples.digits.train;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A 3x3 convolution with stride 1 and one pixel of zero padding: {@code [c, s, s]} to {@code [k, s,
 * s]}. Weights are {@code [k, c, 3, 3]}, the bias {@code [k]}.
 */
final class Convolution implements Layer {
  private static final int TAPS = 9;

  private final int channels;
  private final int filters;
  private final int side;
  private final Parameter weight;
  private final Parameter bias;

  Convolution(String name, int channels, int filters, int side, RandomGenerator random) {
    this.channels = channels;
    this.filters = filters;
    this.side = side;
    this.weight =
        Parameter.zeros(name + ".weight", filters, channels, 3, 3)
            .randomised(random, channels * TAPS);
    this.bias = Parameter.zeros(name + ".bias", filters);
  }

  @Override
  public int inputSize() {
    return channels * side * side;
  }

  @Override
  public int outputSize() {
    return filters * side * side;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(weight, bias);
  }

  @Override
  public void forward(float[] in, float[] out) {
    int plane = side * side;
    for (int f = 0; f < filters; f++) {
      Arrays.fill(out, f * plane, (f + 1) * plane, bias.values()[f]);
      for (int c = 0; c < channels; c++) {
        for (int tap = 0; tap < TAPS; tap++) {
          float w = weight.values()[(f * channels + c) * TAPS + tap];
          addShifted(in, c * plane, tap / 3 - 1, tap % 3 - 1, w, out, f * plane);
        }
      }
    }
  }

  @Override
  public void backward(
      float[] in,
      float[] out,
      float[] outGradient,
      float[] inGradient,
      List<float[]> parameterGradients) {
    int plane = side * side;
    float[] weightGradient = parameterGradients.get(0);
    float[] biasGradient = parameterGradients.get(1);
    Arrays.fill(inGradient, 0);
    for (int f = 0; f < filters; f++) {
      for (int i = f * plane; i < (f + 1) * plane; i++) {
        biasGradient[f] += outGradient[i];
      }
      for (int c = 0; c < channels; c++) {
        for (int tap = 0; tap < TAPS; tap++) {
          int dy = tap / 3 - 1;
          int dx = tap % 3 - 1;
          int index = (f * channels + c) * TAPS + tap;
          weightGradient[index] += dotShifted(in, c * plane, dy, dx, outGradient, f * plane);
          addShifted(
              outGradient, f * plane, -dy, -dx, weight.values()[index], inGradient, c * plane);
        }
      }
    }
  }

  /** Adds {@code scale * in[y + dy, x + dx]} to {@code out[y, x]} wherever the source exists. */
  private void addShifted(
      float[] in, int inStart, int dy, int dx, float scale, float[] out, int outStart) {
    for (int y = Math.max(0, -dy); y < Math.min(side, side - dy); y++) {
      int outRow = outStart + y * side;
      int inRow = inStart + (y + dy) * side + dx;
      for (int x = Math.max(0, -dx); x < Math.min(side, side - dx); x++) {
        out[outRow + x] += scale * in[inRow + x];
      }
    }
  }

  private float dotShifted(
      float[] in, int inStart, int dy, int dx, float[] gradient, int gradientStart) {
    float sum = 0;
    for (int y = Math.max(0, -dy); y < Math.min(side, side - dy); y++) {
      int gradientRow = gradientStart + y * side;
      int inRow = inStart + (y + dy) * side + dx;
      for (int x = Math.max(0, -dx); x < Math.min(side, side - dx); x++) {
        sum += gradient[gradientRow + x] * in[inRow + x];
      }
    }
    return sum;
  }
}
