package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;

/**
 * The sum or product of the lanes of a vector, always in the same order: that of the Vector API
 * itself changes when the JIT compiler takes over, and so would results. The second half is put to
 * the first one until one lane is left.
 */
public final class VectorSum {
  private VectorSum() {}

  /** The sum of the lanes. */
  public static float of(FloatVector x) {
    FloatVector folded = x;
    if (x.length() > 8) {
      folded = folded.add(folded.rearrange(Rotations.floats(x, 8)));
    }
    if (x.length() > 4) {
      folded = folded.add(folded.rearrange(Rotations.floats(x, 4)));
    }
    if (x.length() > 2) {
      folded = folded.add(folded.rearrange(Rotations.floats(x, 2)));
    }
    return folded.add(folded.rearrange(Rotations.floats(x, 1))).lane(0);
  }

  /** The sum of the lanes. */
  public static double of(DoubleVector x) {
    DoubleVector folded = x;
    if (x.length() > 4) {
      folded = folded.add(folded.rearrange(Rotations.doubles(x, 4)));
    }
    if (x.length() > 2) {
      folded = folded.add(folded.rearrange(Rotations.doubles(x, 2)));
    }
    return folded.add(folded.rearrange(Rotations.doubles(x, 1))).lane(0);
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
      folded = folded.mul(folded.rearrange(Rotations.floats(x, 8)));
    }
    if (x.length() > 4) {
      folded = folded.mul(folded.rearrange(Rotations.floats(x, 4)));
    }
    if (x.length() > 2) {
      folded = folded.mul(folded.rearrange(Rotations.floats(x, 2)));
    }
    return folded.mul(folded.rearrange(Rotations.floats(x, 1))).lane(0);
  }

  /** The product of the lanes. */
  public static double productOf(DoubleVector x) {
    DoubleVector folded = x;
    if (x.length() > 4) {
      folded = folded.mul(folded.rearrange(Rotations.doubles(x, 4)));
    }
    if (x.length() > 2) {
      folded = folded.mul(folded.rearrange(Rotations.doubles(x, 2)));
    }
    return folded.mul(folded.rearrange(Rotations.doubles(x, 1))).lane(0);
  }
}
