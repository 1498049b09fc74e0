package org.relaxvm.examples.digits.train;

import java.util.random.RandomGenerator;

/**
 * A named tensor of trained values.
 *
 * @param name key in the weights file, for example {@code conv1.weight}
 * @param shape extents, outermost first
 * @param values row-major values; shared, and written by the optimiser between batches
 */
public record Parameter(String name, long[] shape, float[] values) {

  /** Returns a parameter of zeros. */
  static Parameter zeros(String name, long... shape) {
    int size = 1;
    for (long extent : shape) {
      size *= Math.toIntExact(extent);
    }
    return new Parameter(name, shape, new float[size]);
  }

  /**
   * Fills the values for a layer followed by a rectifier: variance 2 / inputs (He et al., 2015).
   */
  Parameter randomised(RandomGenerator random, int inputs) {
    double deviation = Math.sqrt(2.0 / inputs);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (deviation * random.nextGaussian());
    }
    return this;
  }
}
