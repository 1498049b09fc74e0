package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Turns a matrix of sums, a row for each position, so that channels become rows. A square of as
 * many rows as a vector has lanes is turned by putting its upper and lower half together like the
 * teeth of a zip, as often as the number of lanes can be halved.
 */
final class Turn {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int HALVINGS = Integer.numberOfTrailingZeros(LANES);
  private static final VectorShuffle<Float> LOW = VectorShuffle.makeZip(SPECIES, 0);
  private static final VectorShuffle<Float> HIGH = VectorShuffle.makeZip(SPECIES, 1);

  private Turn() {}

  /** The distance of rows in the turned matrix. */
  static int step(int count) {
    return Math.ceilDiv(count, LANES) * LANES;
  }

  /**
   * Turns.
   *
   * @param from {@code [count, width]}, rounded up to whole squares, without gaps
   * @param width a multiple of the lanes of a vector
   * @param to {@code [width, step(count)]}
   */
  static void turn(float[] from, int count, int width, float[] to, int step) {
    float[] one = new float[LANES * LANES];
    float[] other = new float[LANES * LANES];
    for (int i = 0; i < count; i += LANES) {
      for (int j = 0; j < width; j += LANES) {
        int at = i * width + j;
        zip(from, at, width, one, 0, LANES);
        for (int k = 2; k < HALVINGS; k++) {
          zip(one, 0, LANES, other, 0, LANES);
          float[] last = one;
          one = other;
          other = last;
        }
        zip(one, 0, LANES, to, j * step + i, step);
      }
    }
  }

  private static void zip(float[] from, int at, int step, float[] to, int target, int targetStep) {
    int half = LANES / 2 * step;
    for (int i = 0; i < LANES / 2; i++) {
      FloatVector upper = FloatVector.fromArray(SPECIES, from, at);
      FloatVector lower = FloatVector.fromArray(SPECIES, from, at + half);
      upper.rearrange(LOW, lower).intoArray(to, target);
      upper.rearrange(HIGH, lower).intoArray(to, target + targetStep);
      at += step;
      target += 2 * targetStep;
    }
  }
}
