package org.relaxvm.examples.digits.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares each layer's gradients with differences of its outputs. */
class LayerGradientTest {
  private static final long SEED = Long.getLong("relaxvm.seed", 42);
  private static final float STEP = 1f / 256;

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void convolution() {
    checkGradients(new Convolution("conv", 2, 3, 5, random));
  }

  @Test
  void dense() {
    checkGradients(new Dense("dense", 7, 4, random));
  }

  @Test
  void rectifier() {
    checkGradients(new Rectifier(12));
  }

  @Test
  void maxPool() {
    checkGradients(new MaxPool(2, 4));
  }

  private void checkGradients(Layer layer) {
    System.out.println("relaxvm.seed=" + SEED);
    float[] in = distinctValues(layer.inputSize());
    float[] direction = distinctValues(layer.outputSize());
    List<float[]> parameterGradients =
        layer.parameters().stream().map(p -> new float[p.values().length]).toList();
    float[] inGradient = new float[in.length];
    float[] out = new float[layer.outputSize()];
    layer.forward(in, out);
    layer.backward(in, out, direction, inGradient, parameterGradients);

    assertMatchesDifferences(layer, in, direction, in, inGradient);
    for (int p = 0; p < parameterGradients.size(); p++) {
      float[] values = layer.parameters().get(p).values();
      assertMatchesDifferences(layer, in, direction, values, parameterGradients.get(p));
    }
  }

  /** Moves each of {@code values}, which {@code in} may be, and watches the projected output. */
  private static void assertMatchesDifferences(
      Layer layer, float[] in, float[] direction, float[] values, float[] gradient) {
    for (int i = 0; i < values.length; i++) {
      float value = values[i];
      values[i] = value + STEP;
      double above = projected(layer, in, direction);
      values[i] = value - STEP;
      double below = projected(layer, in, direction);
      values[i] = value;
      assertThat((above - below) / (2 * STEP)).isEqualTo(gradient[i], Offset.offset(2e-3));
    }
  }

  private static double projected(Layer layer, float[] in, float[] direction) {
    float[] out = new float[layer.outputSize()];
    layer.forward(in, out);
    double sum = 0;
    for (int i = 0; i < out.length; i++) {
      sum += (double) out[i] * direction[i];
    }
    return sum;
  }

  /** Shuffled values at least 0.05 apart and not near zero, so that no kink lies within a step. */
  private float[] distinctValues(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (i - count / 2 + 0.5f) * 0.05f;
      int other = random.nextInt(i + 1);
      float swapped = values[i];
      values[i] = values[other];
      values[other] = swapped;
    }
    return values;
  }
}
