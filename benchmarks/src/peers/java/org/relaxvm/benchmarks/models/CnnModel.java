package org.relaxvm.benchmarks.models;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * A small residual network for images of 64 x 64: the first stages of ResNet-18, with batch
 * normalization already part of the convolutions.
 */
record CnnModel() implements Model {
  private static final long SIZE = 64;
  private static final long CHANNELS = 64;
  private static final long CLASSES = 10;

  @Override
  public List<Input> inputs() {
    return List.of(new Input("image", DType.FLOAT32, List.of(1L, 3L, SIZE, SIZE)));
  }

  @Override
  public <V> List<V> build(Layers<V> layers, List<V> inputs, Weights weights) {
    Net<V> net = new Net<>(layers, weights);
    V x = layers.relu(net.convolution(inputs.getFirst(), 3, CHANNELS, 3, 1));
    x = layers.maxPool(x, 2);
    x = net.block(x, CHANNELS, CHANNELS);
    x = net.block(x, CHANNELS, CHANNELS);
    x = net.block(x, CHANNELS, 2 * CHANNELS);
    x = layers.globalAverage(x);
    return List.of(
        layers.dense(x, weights.ofSum(2 * CHANNELS, 2 * CHANNELS, CLASSES), weights.bias(CLASSES)));
  }

  private record Net<V>(Layers<V> layers, Weights weights) {
    /** Two convolutions beside a shortcut; more channels make the image half as high and wide. */
    V block(V x, long in, long out) {
      long stride = in == out ? 1 : 2;
      V shortcut = in == out ? x : convolution(x, in, out, 1, stride);
      V inner = layers.relu(convolution(x, in, out, 3, stride));
      return layers.relu(layers.add(convolution(inner, out, out, 3, 1), shortcut));
    }

    V convolution(V x, long in, long out, long window, long stride) {
      return layers.convolution(
          x,
          weights.ofSum(in * window * window, out, in, window, window),
          weights.bias(out),
          stride);
    }
  }
}
