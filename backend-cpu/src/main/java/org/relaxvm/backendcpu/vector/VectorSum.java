package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/**
 * The sum or product of the lanes of a vector, always in the same order: that of the Vector API
 * itself changes when the JIT compiler takes over, and so would results.
 */
public final class VectorSum {
  private VectorSum() {}

  /** The sum of the lanes. */
  public static float of(FloatVector x) {
    float[] y = x.toArray();
    if (x.length() == 16) {
      float a = (y[0] + y[8]) + (y[4] + y[12]);
      float b = (y[1] + y[9]) + (y[5] + y[13]);
      float c = (y[2] + y[10]) + (y[6] + y[14]);
      float d = (y[3] + y[11]) + (y[7] + y[15]);
      return (a + c) + (b + d);
    }
    if (x.length() == 8) {
      return ((y[0] + y[4]) + (y[2] + y[6])) + ((y[1] + y[5]) + (y[3] + y[7]));
    }
    return ofLanes(y);
  }

  /** The sum of the lanes. */
  public static double of(DoubleVector x) {
    DoubleVector folded = x;
    if (x.length() > 8) {
      folded = folded.add(folded.slice(8));
    }
    if (x.length() > 4) {
      folded = folded.add(folded.slice(4));
    }
    if (x.length() > 2) {
      folded = folded.add(folded.slice(2));
    }
    return folded.add(folded.slice(1)).lane(0);
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

  /** The product of the lanes. */
  public static float productOf(FloatVector x) {
    FloatVector folded = x;
    if (x.length() > 8) {
      folded = folded.mul(folded.slice(8));
    }
    if (x.length() > 4) {
      folded = folded.mul(folded.slice(4));
    }
    if (x.length() > 2) {
      folded = folded.mul(folded.slice(2));
    }
    return folded.mul(folded.slice(1)).lane(0);
  }

  /** The product of the lanes. */
  public static double productOf(DoubleVector x) {
    DoubleVector folded = x;
    if (x.length() > 8) {
      folded = folded.mul(folded.slice(8));
    }
    if (x.length() > 4) {
      folded = folded.mul(folded.slice(4));
    }
    if (x.length() > 2) {
      folded = folded.mul(folded.slice(2));
    }
    return folded.mul(folded.slice(1)).lane(0);
  }
}
