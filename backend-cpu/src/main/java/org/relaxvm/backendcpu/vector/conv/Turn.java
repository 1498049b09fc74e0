package org.relaxvm.backendcpu.vector.conv;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Turns matrices, so that rows become columns. A square of as many rows as a vector has lanes is
 * turned by putting its upper and lower half together like the teeth of a zip, as often as the
 * number of lanes can be halved; two times at once, between loads and stores.
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
   * @param from {@code [count, width]}, rounded up to whole squares
   * @param fromStep the distance of its rows
   * @param to {@code [width, count]}, rounded up to whole squares
   * @param step the distance of its rows
   */
  static void turn(float[] from, int fromStep, int count, int width, float[] to, int step) {
    turn(from, fromStep, count, to, places(width, step));
  }

  /**
   * Turns, and puts each row where a table says: element {@code (i, j)} to {@code places[j] + i}.
   *
   * @param from {@code [count, places.length]}, rounded up to whole squares
   * @param fromStep the distance of its rows
   * @param places for all columns of whole squares
   */
  static void turn(float[] from, int fromStep, int count, float[] to, int[] places) {
    float[] square = new float[LANES * LANES];
    int[] rows = places(LANES, LANES);
    for (int i = 0; i < count; i += LANES) {
      for (int j = 0; j < places.length; j += LANES) {
        int at = i * fromStep + j;
        if (HALVINGS == 2) {
          zipTwice(from, at, fromStep, to, i, places, j);
        } else if (HALVINGS == 3) {
          zip(from, at, fromStep, square);
          zipTwice(square, 0, LANES, to, i, places, j);
        } else {
          zipTwice(from, at, fromStep, square, 0, rows, 0);
          zipTwice(square, 0, LANES, to, i, places, j);
        }
      }
    }
  }

  private static int[] places(int count, int step) {
    int[] places = new int[step(count)];
    for (int i = 0; i < places.length; i++) {
      places[i] = i * step;
    }
    return places;
  }

  private static void zip(float[] from, int at, int step, float[] to) {
    int half = LANES / 2 * step;
    for (int i = 0; i < LANES / 2; i++) {
      FloatVector upper = FloatVector.fromArray(SPECIES, from, at);
      FloatVector lower = FloatVector.fromArray(SPECIES, from, at + half);
      upper.rearrange(LOW, lower).intoArray(to, 2 * i * LANES);
      upper.rearrange(HIGH, lower).intoArray(to, (2 * i + 1) * LANES);
      at += step;
    }
  }

  private static void zipTwice(
      float[] from, int at, int step, float[] to, int target, int[] places, int place) {
    int quarter = LANES / 4 * step;
    for (int i = 0; i < LANES / 4; i++) {
      FloatVector a = FloatVector.fromArray(SPECIES, from, at);
      FloatVector b = FloatVector.fromArray(SPECIES, from, at + quarter);
      FloatVector c = FloatVector.fromArray(SPECIES, from, at + 2 * quarter);
      FloatVector d = FloatVector.fromArray(SPECIES, from, at + 3 * quarter);
      FloatVector acLow = a.rearrange(LOW, c);
      FloatVector acHigh = a.rearrange(HIGH, c);
      FloatVector bdLow = b.rearrange(LOW, d);
      FloatVector bdHigh = b.rearrange(HIGH, d);
      acLow.rearrange(LOW, bdLow).intoArray(to, target + places[place]);
      acLow.rearrange(HIGH, bdLow).intoArray(to, target + places[place + 1]);
      acHigh.rearrange(LOW, bdHigh).intoArray(to, target + places[place + 2]);
      acHigh.rearrange(HIGH, bdHigh).intoArray(to, target + places[place + 3]);
      at += step;
      place += 4;
    }
  }
}
