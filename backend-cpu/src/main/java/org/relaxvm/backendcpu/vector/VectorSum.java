package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/**
 * The sum of the lanes of a vector, always in the same order: the order of the Vector API's own sum
 * changes when the JIT compiler takes over, and so would results.
 */
final class VectorSum {
  private VectorSum() {}

  static float of(FloatVector x) {
    return ofLanes(x.toArray());
  }

  static double of(DoubleVector x) {
    double[] lanes = x.toArray();
    for (int half = lanes.length / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) {
        lanes[i] += lanes[i + half];
      }
    }
    return lanes[0];
  }

  /** The sum of lanes that are in an array, which is overwritten. */
  static float ofLanes(float[] lanes) {
    for (int half = lanes.length / 2; half > 0; half /= 2) {
      for (int i = 0; i < half; i++) {
        lanes[i] += lanes[i + half];
      }
    }
    return lanes[0];
  }
}
