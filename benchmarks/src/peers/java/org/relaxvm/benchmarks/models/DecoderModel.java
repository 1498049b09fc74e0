package org.relaxvm.benchmarks.models;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;

/**
 * One step of a transformer decoder: a token, and keys and values of those before it {@code [1,
 * heads, positions, width of a head]}; gives scores of the next token, and keys and values that
 * have the token's own behind them.
 *
 * @param positions the number of tokens before, or its name
 */
record DecoderModel(Object positions) implements Model {
  private static final int VOCABULARY = 1000;
  private static final int LAYERS = 2;
  private static final int HEADS = 4;
  private static final int WIDTH = 256;
  private static final int HEAD_WIDTH = WIDTH / HEADS;
  private static final int HIDDEN = 1024;

  @Override
  public List<Input> inputs() {
    List<Input> inputs = new ArrayList<>();
    inputs.add(new Input("token", DType.INT64, List.of(1L, 1L)));
    List<Object> cache = List.of(1L, (long) HEADS, positions, (long) HEAD_WIDTH);
    for (int layer = 0; layer < LAYERS; layer++) {
      inputs.add(new Input("keys" + layer, DType.FLOAT32, cache));
      inputs.add(new Input("values" + layer, DType.FLOAT32, cache));
    }
    return inputs;
  }

  @Override
  public <V> List<V> build(Layers<V> layers, List<V> inputs, Weights weights) {
    Net<V> net = new Net<>(layers, weights, new ArrayList<>());
    V x = layers.take(weights.normal(0, 1, VOCABULARY, WIDTH), inputs.getFirst());
    for (int layer = 0; layer < LAYERS; layer++) {
      V keys = inputs.get(1 + 2 * layer);
      V values = inputs.get(2 + 2 * layer);
      x = layers.add(x, net.attention(net.norm(x), keys, values));
      V hidden = layers.gelu(net.dense(net.norm(x), WIDTH, HIDDEN));
      x = layers.add(x, net.dense(hidden, HIDDEN, WIDTH));
    }
    List<V> outputs = new ArrayList<>();
    outputs.add(net.dense(net.norm(x), WIDTH, VOCABULARY));
    outputs.addAll(net.caches());
    return outputs;
  }

  private record Net<V>(Layers<V> layers, Weights weights, List<V> caches) {
    V attention(V x, V keys, V values) {
      V query = heads(x);
      V allKeys = layers.concat(keys, heads(x), 2);
      V allValues = layers.concat(values, heads(x), 2);
      caches.add(allKeys);
      caches.add(allValues);
      V scores = layers.matmul(query, layers.transpose(allKeys, 0, 1, 3, 2));
      V shares = layers.softmax(layers.scale(scores, (float) (1 / Math.sqrt(HEAD_WIDTH))));
      V mixed = layers.transpose(layers.matmul(shares, allValues), 0, 2, 1, 3);
      return dense(layers.reshape(mixed, 0, 0, WIDTH), WIDTH, WIDTH);
    }

    V heads(V x) {
      V split = layers.reshape(dense(x, WIDTH, WIDTH), 0, 0, HEADS, HEAD_WIDTH);
      return layers.transpose(split, 0, 2, 1, 3);
    }

    V dense(V x, int in, int out) {
      return layers.dense(x, weights.ofSum(in, in, out), weights.bias(out));
    }

    V norm(V x) {
      return layers.layerNorm(x, weights.gains(WIDTH), weights.bias(WIDTH));
    }
  }
}
