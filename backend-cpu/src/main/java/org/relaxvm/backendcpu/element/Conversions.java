package org.relaxvm.backendcpu.element;

/** Converts between floats and integers, as {@code relaxvm.cast} defines it. */
public final class Conversions {
  private static final double TWO_TO_63 = 0x1p63;

  private Conversions() {}

  /** As {@link #toIntegers}, for floats and integers of up to 32 bits. */
  public static void toInts(float[] from, int[] to, int count, Codec<int[]> target) {
    IntCodec codec = (IntCodec) target;
    if (codec.isTruth()) {
      for (int i = 0; i < count; i++) {
        to[i] = from[i] != 0 ? 1 : 0;
      }
      return;
    }
    int lowest = codec.lowest();
    int highest = codec.highest();
    for (int i = 0; i < count; i++) {
      to[i] = Math.min(Math.max((int) from[i], lowest), highest);
    }
  }

  /** Keeps the low bits, or whether there are any. */
  public static void toInts(int[] from, int[] to, int count, Codec<int[]> target) {
    if (((IntCodec) target).isTruth()) {
      for (int i = 0; i < count; i++) {
        to[i] = (from[i] | -from[i]) >>> (Integer.SIZE - 1);
      }
    } else {
      System.arraycopy(from, 0, to, 0, count);
    }
  }

  /** Rounds integers to floats. */
  public static void toFloats(int[] from, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  /** Drops fractions; what is out of the target's range becomes its nearest value, NaN 0. */
  public static void toIntegers(double[] from, long[] to, int count, Codec<long[]> target) {
    if (target instanceof IntegerCodec integer) {
      for (int i = 0; i < count; i++) {
        to[i] = saturate(from[i], integer);
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[i] = from[i] != 0 ? 1 : 0;
      }
    }
  }

  /**
   * Converts integers.
   *
   * @param unsigned whether they are uint64
   * @param narrowed whether the result will be rounded once more, to fewer bits; then the lowest
   *     bit tells that something was dropped, so that the second rounding is right
   */
  public static void toFloats(
      long[] from, double[] to, int count, boolean unsigned, boolean narrowed) {
    for (int i = 0; i < count; i++) {
      long value = from[i];
      boolean large = unsigned && value < 0;
      // Half of it, with the dropped bit kept: more bits are left than a double holds.
      long halved = large ? value >>> 1 | (value & 1) : value;
      double rounded = narrowed ? roundToOdd(halved) : (double) halved;
      to[i] = large ? rounded * 2 : rounded;
    }
  }

  /** The float next to a double whose lowest bit is set when the double is between two floats. */
  static float roundToOdd(double value) {
    float nearest = (float) value;
    int bits = Float.floatToRawIntBits(nearest);
    if (nearest == value || Double.isNaN(value) || (bits & 1) != 0) {
      return nearest;
    }
    boolean awayFromZero = Math.abs((double) nearest) > Math.abs(value);
    return Float.intBitsToFloat(awayFromZero ? bits - 1 : bits + 1);
  }

  private static double roundToOdd(long value) {
    double nearest = (double) value;
    long bits = Double.doubleToRawLongBits(nearest);
    // 2^63 does not fit a long; it comes only from values just below it.
    int order = nearest == TWO_TO_63 ? 1 : Long.compare((long) nearest, value);
    if (order == 0 || (bits & 1) != 0) {
      return nearest;
    }
    boolean awayFromZero = order > 0 == value > 0;
    return Double.longBitsToDouble(awayFromZero ? bits - 1 : bits + 1);
  }

  private static long saturate(double value, IntegerCodec target) {
    if (Double.isNaN(value)) {
      return 0;
    }
    if (target.isSigned()) {
      return Math.clamp((long) value, target.lowest(), target.highest());
    }
    if (value < TWO_TO_63) {
      long whole = Math.max(0, (long) value);
      return target.highest() < 0 ? whole : Math.min(whole, target.highest());
    }
    boolean fits = target.highest() < 0 && value < 2 * TWO_TO_63;
    return fits ? (long) (value - TWO_TO_63) ^ Long.MIN_VALUE : target.highest();
  }
}
