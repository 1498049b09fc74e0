package org.relaxvm.examples.digits.train;

import java.util.Arrays;
import java.util.List;

/** The Adam optimiser (Kingma and Ba, 2015) with its usual constants. Not thread-safe. */
final class Adam {
  private static final double DECAY_MEAN = 0.9;
  private static final double DECAY_SQUARE = 0.999;
  private static final double EPSILON = 1e-8;

  private final List<Parameter> parameters;
  private final List<float[]> means;
  private final List<float[]> squares;
  private int steps;

  Adam(List<Parameter> parameters) {
    this.parameters = parameters;
    this.means = zerosLike(parameters);
    this.squares = zerosLike(parameters);
  }

  /**
   * Moves every parameter against its gradient and clears the gradients.
   *
   * @param gradients one array per parameter, summed over the batch
   * @param batchSize number of images in the sum
   */
  void step(List<float[]> gradients, int batchSize, double rate) {
    steps++;
    double corrected =
        rate
            * Math.sqrt(1 - StrictMath.pow(DECAY_SQUARE, steps))
            / (1 - StrictMath.pow(DECAY_MEAN, steps));
    for (int p = 0; p < gradients.size(); p++) {
      float[] gradient = gradients.get(p);
      float[] mean = means.get(p);
      float[] square = squares.get(p);
      float[] values = parameters.get(p).values();
      for (int i = 0; i < values.length; i++) {
        double g = gradient[i] / batchSize;
        mean[i] = (float) (DECAY_MEAN * mean[i] + (1 - DECAY_MEAN) * g);
        square[i] = (float) (DECAY_SQUARE * square[i] + (1 - DECAY_SQUARE) * g * g);
        values[i] -= (float) (corrected * mean[i] / (Math.sqrt(square[i]) + EPSILON));
      }
      Arrays.fill(gradient, 0);
    }
  }

  private static List<float[]> zerosLike(List<Parameter> parameters) {
    return parameters.stream().map(parameter -> new float[parameter.values().length]).toList();
  }
}
