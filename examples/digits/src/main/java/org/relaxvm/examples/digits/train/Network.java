package org.relaxvm.examples.digits.train;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.examples.digits.render.NetworkInput;

/**
 * The digits network: two convolutions of 8 and 16 filters, each with a rectifier and a 2x2 max
 * pool, a hidden layer of 64 and ten outputs; 52,138 parameters.
 */
public final class Network {
  private final List<Layer> layers;

  private Network(List<Layer> layers) {
    this.layers = List.copyOf(layers);
  }

  /** Makes a network with random weights and zero biases. */
  public static Network random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Network(
        List.of(
            new Convolution("conv1", 1, 8, 28, random),
            new Rectifier(8 * 28 * 28),
            new MaxPool(8, 28),
            new Convolution("conv2", 8, 16, 14, random),
            new Rectifier(16 * 14 * 14),
            new MaxPool(16, 14),
            new Dense("dense1", 16 * 7 * 7, 64, random),
            new Rectifier(64),
            new Dense("dense2", 64, 10, random)));
  }

  /**
   * Makes a network with trained weights.
   *
   * @param weights one float32 array per parameter, by name; copied
   * @throws IllegalArgumentException if one is missing or has another number of values
   */
  public static Network of(Map<String, Tensor> weights) {
    Network network = random(0);
    for (Parameter parameter : network.parameters()) {
      Tensor weight = weights.get(parameter.name());
      if (weight == null || weight.elementCount() != parameter.values().length) {
        throw new IllegalArgumentException(
            "the network needs an array "
                + parameter.name()
                + " of shape "
                + Shape.of(parameter.shape())
                + ", got "
                + weight);
      }
      System.arraycopy(weight.toFloatArray(), 0, parameter.values(), 0, parameter.values().length);
    }
    return network;
  }

  /** Returns copies of all parameters by name, first layer first, for the weights file. */
  public Map<String, Tensor> weights() {
    Map<String, Tensor> weights = new LinkedHashMap<>();
    for (Parameter parameter : parameters()) {
      weights.put(parameter.name(), Tensor.of(parameter.values(), Shape.of(parameter.shape())));
    }
    return weights;
  }

  /** Returns the layers in the order of execution. */
  List<Layer> layers() {
    return layers;
  }

  /** Returns every trained tensor, first layer first. The values are shared with the network. */
  public List<Parameter> parameters() {
    return layers.stream().flatMap(layer -> layer.parameters().stream()).toList();
  }

  /**
   * Returns the probability of each digit.
   *
   * @param image 28 x 28 values as {@link NetworkInput} makes them
   */
  public float[] probabilities(float[] image) {
    return new Pass(this).probabilities(image).clone();
  }
}
