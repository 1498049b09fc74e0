package org.relaxvm.backendcpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Turns matrices, so that rows become columns. A square of as many rows as a vector has lanes is
 * transposed by putting its upper and lower half together like the teeth of a zip, as often as the
 * number of lanes can be halved; two times at once, between loads and stores.
 */
public final class Turn {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final int HALVINGS = Integer.numberOfTrailingZeros(LANES);
  // Integers, since two vectors can be put together in one step only by indices of their own type.
  private static final IntVector LOW = zip(0);
  private static final IntVector HIGH = zip(LANES / 2);

  private Turn() {}

  /** Which lanes of two vectors make one: a lane of each in turn, from one on. */
  private static IntVector zip(int first) {
    int[] lanes = new int[LANES];
    for (int i = 0; i < LANES; i++) {
      lanes[i] = i % 2 * LANES + first + i / 2;
    }
    return IntVector.fromArray(Species.INT, lanes, 0);
  }

  /** The distance of rows in the transposed matrix. */
  public static int step(int count) {
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
  public static void turn(float[] from, int fromStep, int count, int width, float[] to, int step) {
    turn(from, fromStep, count, width, to, 0, step);
  }

  /** The same, into a part of an array that begins at {@code at}. */
  public static void turn(
      float[] from, int fromStep, int count, int width, float[] to, int at, int step) {
    turn(from, fromStep, count, to, places(width, at, step));
  }

  /**
   * Turns, and puts each row where a table says: element {@code (i, j)} to {@code places[j] + i}.
   *
   * @param from {@code [count, places.length]}, rounded up to whole squares
   * @param fromStep the distance of its rows
   * @param places for all columns of whole squares
   */
  public static void turn(float[] from, int fromStep, int count, float[] to, int[] places) {
    float[] square = new float[LANES * LANES];
    int[] rows = places(LANES, 0, LANES);
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

  private static int[] places(int count, int at, int step) {
    int[] places = new int[step(count)];
    for (int i = 0; i < places.length; i++) {
      places[i] = at + i * step;
    }
    return places;
  }

  private static void zip(float[] from, int at, int step, float[] to) {
    int half = LANES / 2 * step;
    for (int i = 0; i < LANES / 2; i++) {
      IntVector upper = load(from, at);
      IntVector lower = load(from, at + half);
      store(LOW.selectFrom(upper, lower), to, 2 * i * LANES);
      store(HIGH.selectFrom(upper, lower), to, (2 * i + 1) * LANES);
      at += step;
    }
  }

  private static void zipTwice(
      float[] from, int at, int step, float[] to, int target, int[] places, int place) {
    int quarter = LANES / 4 * step;
    for (int i = 0; i < LANES / 4; i++) {
      IntVector a = load(from, at);
      IntVector b = load(from, at + quarter);
      IntVector c = load(from, at + 2 * quarter);
      IntVector d = load(from, at + 3 * quarter);
      IntVector acLow = LOW.selectFrom(a, c);
      IntVector acHigh = HIGH.selectFrom(a, c);
      IntVector bdLow = LOW.selectFrom(b, d);
      IntVector bdHigh = HIGH.selectFrom(b, d);
      store(LOW.selectFrom(acLow, bdLow), to, target + places[place]);
      store(HIGH.selectFrom(acLow, bdLow), to, target + places[place + 1]);
      store(LOW.selectFrom(acHigh, bdHigh), to, target + places[place + 2]);
      store(HIGH.selectFrom(acHigh, bdHigh), to, target + places[place + 3]);
      at += step;
      place += 4;
    }
  }

  private static IntVector load(float[] from, int at) {
    return FloatVector.fromArray(SPECIES, from, at).reinterpretAsInts();
  }

  private static void store(IntVector x, float[] to, int at) {
    x.reinterpretAsFloats().intoArray(to, at);
  }
}
