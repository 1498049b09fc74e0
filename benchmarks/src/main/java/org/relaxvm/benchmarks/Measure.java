package org.relaxvm.benchmarks;

import java.util.Arrays;
import java.util.Random;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** What benchmarks outside of JMH share: timing calls, and something to call them with. */
public final class Measure {
  private Measure() {}

  /** Calls until the code should be compiled. */
  static void warmUp(Runnable call, double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      call.run();
    }
  }

  /** Seconds of one call, the mean of so many. */
  static double time(Runnable call, int calls) {
    long start = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    return (System.nanoTime() - start) * 1e-9 / calls;
  }

  /** The median, the upper one of two. */
  public static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Random float32 elements from -0.5 to 0.5, the same ones at each call. */
  static Tensor random(Shape shape) {
    Random random = new Random(1);
    float[] values = new float[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return Tensor.of(values, shape);
  }
}
