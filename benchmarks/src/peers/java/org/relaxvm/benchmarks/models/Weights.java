package org.relaxvm.benchmarks.models;

import java.util.SplittableRandom;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Random weights, the same ones in the same order for the same seed. */
final class Weights {
  private final SplittableRandom random;

  Weights(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Normal numbers around a mean. */
  Tensor normal(double mean, double deviation, long... dims) {
    Shape shape = Shape.of(dims);
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (mean + deviation * random.nextGaussian());
    }
    return Tensor.of(values, shape);
  }

  /** Weights of a sum of so many elements, whose variance stays what it was. */
  Tensor ofSum(long count, long... dims) {
    return normal(0, 1 / Math.sqrt(count), dims);
  }

  Tensor bias(long... dims) {
    return normal(0, 0.1, dims);
  }

  /** Factors behind a normalization. */
  Tensor gains(long... dims) {
    return normal(1, 0.1, dims);
  }
}
