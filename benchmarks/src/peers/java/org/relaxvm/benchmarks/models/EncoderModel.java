package org.relaxvm.benchmarks.models;

import java.util.List;
import org.relaxvm.api.DType;

/**
 * The transformer encoder of {@code examples/encoder}.
 *
 * @param batch the number of texts, or its name
 * @param length the number of tokens in each, or its name
 */
record EncoderModel(Object batch, Object length) implements Model {
  private static final int VOCABULARY = 1000;
  private static final int LAYERS = 2;
  private static final int HEADS = 4;
  private static final int WIDTH = 256;
  private static final int HIDDEN = 1024;

  @Override
  public List<Input> inputs() {
    return List.of(new Input("tokens", DType.INT64, List.of(batch, length)));
  }

  @Override
  public <V> List<V> build(Layers<V> layers, List<V> inputs, Weights weights) {
    Net<V> net = new Net<>(layers, weights);
    V x = layers.take(weights.normal(0, 1, VOCABULARY, WIDTH), inputs.getFirst());
    for (int layer = 0; layer < LAYERS; layer++) {
      x = net.norm(layers.add(x, net.selfAttention(x)));
      V hidden = layers.gelu(net.dense(x, WIDTH, HIDDEN));
      x = net.norm(layers.add(x, net.dense(hidden, HIDDEN, WIDTH)));
    }
    return List.of(x);
  }

  private record Net<V>(Layers<V> layers, Weights weights) {
    V selfAttention(V x) {
      V mixed = layers.attention(heads(x), heads(x), heads(x), WIDTH / HEADS);
      return dense(layers.reshape(mixed, 0, 0, WIDTH), WIDTH, WIDTH);
    }

    V heads(V x) {
      return layers.reshape(dense(x, WIDTH, WIDTH), 0, 0, HEADS, WIDTH / HEADS);
    }

    V dense(V x, int in, int out) {
      return layers.dense(x, weights.ofSum(in, in, out), weights.bias(out));
    }

    V norm(V x) {
      return layers.layerNorm(x, weights.gains(WIDTH), weights.bias(WIDTH));
    }
  }
}
