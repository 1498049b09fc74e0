package org.relaxvm.benchmarks.models;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * A multilayer perceptron: 784 to 10 classes by way of twice 512.
 *
 * @param batch the number of rows
 */
record MlpModel(long batch) implements Model {
  private static final int[] WIDTHS = {784, 512, 512, 10};

  @Override
  public List<Input> inputs() {
    return List.of(new Input("x", DType.FLOAT32, List.of(batch, (long) WIDTHS[0])));
  }

  @Override
  public <V> List<V> build(Layers<V> layers, List<V> inputs, Weights weights) {
    V x = inputs.getFirst();
    for (int i = 1; i < WIDTHS.length; i++) {
      int in = WIDTHS[i - 1];
      int out = WIDTHS[i];
      x = layers.dense(x, weights.ofSum(in, in, out), weights.bias(out));
      x = i < WIDTHS.length - 1 ? layers.relu(x) : layers.softmax(x);
    }
    return List.of(x);
  }
}
