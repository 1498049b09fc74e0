package org.relaxvm.backendcpu.ordering;

/**
 * Finds largest floats, or smallest ones by their negatives, in portable code. A NaN is more than
 * all numbers; zeros are equal. Stateless and thread-safe.
 */
public class FloatFinder {
  /** The most elements that are looked at in one call. */
  protected static final int PIECE = 1024;

  /** Creates a finder. */
  public FloatFinder() {}

  /**
   * The place of the first largest element of a line, of which there is at least one.
   *
   * @param sign 1, or -1 for the smallest
   */
  public int first(float[] x, int from, int to, float sign) {
    int place = from;
    for (int i = from + 1; i < to; i++) {
      if (isMore(sign * x[i], sign * x[place])) {
        place = i;
      }
    }
    return place;
  }

  /**
   * Replaces what is less than the element of a row at the same index.
   *
   * @param most gets the elements, times the sign
   * @param numbers gets the number of the row
   */
  public void row(float[] x, int count, float sign, int number, float[] most, int[] numbers) {
    for (int i = 0; i < count; i++) {
      if (isMore(sign * x[i], most[i])) {
        most[i] = sign * x[i];
        numbers[i] = number;
      }
    }
  }

  /** Whether the first is larger, or the only NaN. */
  static boolean isMore(float x, float most) {
    return x > most || (Float.isNaN(x) && !Float.isNaN(most));
  }
}
