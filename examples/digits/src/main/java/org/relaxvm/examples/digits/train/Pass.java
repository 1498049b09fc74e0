package org.relaxvm.examples.digits.train;

import java.util.ArrayList;
import java.util.List;

/**
 * The buffers of one thread for running images forward and back through a {@link Network}, and the
 * gradients it has summed. Not thread-safe.
 */
final class Pass {
  private final Network network;
  private final List<float[]> activations = new ArrayList<>();
  private final List<float[]> activationGradients = new ArrayList<>();
  private final List<List<float[]>> parameterGradients = new ArrayList<>();
  private final float[] probabilities;

  Pass(Network network) {
    this.network = network;
    int inputSize = network.layers().getFirst().inputSize();
    activations.add(new float[inputSize]);
    activationGradients.add(new float[inputSize]);
    for (Layer layer : network.layers()) {
      activations.add(new float[layer.outputSize()]);
      activationGradients.add(new float[layer.outputSize()]);
      parameterGradients.add(
          layer.parameters().stream()
              .map(parameter -> new float[parameter.values().length])
              .toList());
    }
    probabilities = new float[network.layers().getLast().outputSize()];
  }

  /** Runs one image forward. The returned array is overwritten by the next call. */
  float[] probabilities(float[] image) {
    activations.set(0, image);
    for (int i = 0; i < network.layers().size(); i++) {
      network.layers().get(i).forward(activations.get(i), activations.get(i + 1));
    }
    Softmax.apply(activations.getLast(), probabilities);
    return probabilities;
  }

  /**
   * Adds one labelled image's gradients of the cross-entropy loss.
   *
   * @return the loss
   */
  double learn(float[] image, int label) {
    probabilities(image);
    float[] outputGradient = activationGradients.getLast();
    System.arraycopy(probabilities, 0, outputGradient, 0, probabilities.length);
    outputGradient[label] -= 1;
    for (int i = network.layers().size() - 1; i >= 0; i--) {
      network
          .layers()
          .get(i)
          .backward(
              activations.get(i),
              activations.get(i + 1),
              activationGradients.get(i + 1),
              activationGradients.get(i),
              parameterGradients.get(i));
    }
    return -StrictMath.log(Math.max(probabilities[label], Float.MIN_NORMAL));
  }

  /** Returns the summed gradients in the order of {@link Network#parameters}. */
  List<float[]> gradients() {
    return parameterGradients.stream().flatMap(List::stream).toList();
  }
}
