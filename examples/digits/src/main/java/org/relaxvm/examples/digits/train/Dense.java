package org.relaxvm.examples.digits.train;

import java.util.List;
import java.util.random.RandomGenerator;

/** A fully connected layer: weights {@code [inputs, outputs]}, bias {@code [outputs]}. */
final class Dense implements Layer {
  private final int inputs;
  private final int outputs;
  private final Parameter weight;
  private final Parameter bias;

  Dense(String name, int inputs, int outputs, RandomGenerator random) {
    this.inputs = inputs;
    this.outputs = outputs;
    this.weight = Parameter.zeros(name + ".weight", inputs, outputs).randomised(random, inputs);
    this.bias = Parameter.zeros(name + ".bias", outputs);
  }

  @Override
  public int inputSize() {
    return inputs;
  }

  @Override
  public int outputSize() {
    return outputs;
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(weight, bias);
  }

  @Override
  public void forward(float[] in, float[] out) {
    float[] w = weight.values();
    System.arraycopy(bias.values(), 0, out, 0, outputs);
    for (int i = 0; i < inputs; i++) {
      float value = in[i];
      for (int o = 0; o < outputs; o++) {
        out[o] += value * w[i * outputs + o];
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
    float[] w = weight.values();
    float[] weightGradient = parameterGradients.get(0);
    float[] biasGradient = parameterGradients.get(1);
    for (int o = 0; o < outputs; o++) {
      biasGradient[o] += outGradient[o];
    }
    for (int i = 0; i < inputs; i++) {
      float value = in[i];
      float sum = 0;
      for (int o = 0; o < outputs; o++) {
        weightGradient[i * outputs + o] += value * outGradient[o];
        sum += w[i * outputs + o] * outGradient[o];
      }
      inGradient[i] = sum;
    }
  }
}
