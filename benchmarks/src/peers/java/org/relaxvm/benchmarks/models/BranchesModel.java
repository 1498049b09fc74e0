package org.relaxvm.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;

/**
 * Branches of equal weight that do not depend on each other, of three dense layers each.
 *
 * @param branches how many
 * @param width of the layers, and the number of rows
 */
record BranchesModel(int branches, int width) implements Model {
  private static final int LAYERS = 3;

  @Override
  public List<Input> inputs() {
    return List.of(new Input("x", DType.FLOAT32, List.of((long) width, (long) width)));
  }

  @Override
  public <V> List<V> build(Layers<V> layers, List<V> inputs, Weights weights) {
    List<V> outputs = new ArrayList<>();
    for (int branch = 0; branch < branches; branch++) {
      V x = inputs.getFirst();
      for (int i = 0; i < LAYERS; i++) {
        x = layers.relu(layers.dense(x, weights.ofSum(width, width, width), weights.bias(width)));
      }
      outputs.add(x);
    }
    return outputs;
  }
}
