package org.relaxvm.backendcpu.element;

/**
 * Converts between floats and integers, as {@code relaxvm.cast} defines it.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why do casts run from array to array?"
 */
public final class Conversions {
  private static final double TWO_TO_32 = 0x1p32;
  private static final double TWO_TO_63 = 0x1p63;

  private Conversions() {}

  /** As {@link #toIntegers}, for floats and integers of up to 32 bits; not for booleans. */
  public static void toInts(float[] from, int[] to, int count, Codec<int[]> target) {
    int lowest = ((IntCodec) target).lowest();
    int highest = ((IntCodec) target).highest();
    for (int i = 0; i < count; i++) {
      to[i] = Math.min(Math.max((int) from[i], lowest), highest);
    }
  }

  /** As {@link #toIntegers}, for integers of up to 32 bits; not for booleans. */
  public static void toInts(double[] from, int[] to, int count, Codec<int[]> target) {
    int lowest = ((IntCodec) target).lowest();
    int highest = ((IntCodec) target).highest();
    for (int i = 0; i < count; i++) {
      to[i] = Math.min(Math.max((int) from[i], lowest), highest);
    }
  }

  /**
   * Tells 1 from 0 by the bits of elements, in place.
   *
   * @param dropped high bits that do not count, such as the sign of a float
   */
  public static void toTruth(int[] bits, int count, int dropped) {
    for (int i = 0; i < count; i++) {
      int left = bits[i] << dropped;
      bits[i] = (left | -left) >>> (Integer.SIZE - 1);
    }
  }

  /** As {@link #toTruth(int[], int, int)}. */
  public static void toTruth(long[] bits, int count, int dropped) {
    for (int i = 0; i < count; i++) {
      long left = bits[i] << dropped;
      bits[i] = (left | -left) >>> (Long.SIZE - 1);
    }
  }

  /** Rounds integers to floats. */
  public static void toFloats(int[] from, float[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  /** Rounds integers to floats, which hold them all. */
  public static void toDoubles(int[] from, double[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = from[i];
    }
  }

  /**
   * Rounds integers to floats.
   *
   * @param unsigned whether they are uint64
   */
  public static void toFloats(long[] from, float[] to, int count, boolean unsigned) {
    if (!unsigned) {
      for (int i = 0; i < count; i++) {
        to[i] = from[i];
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      long value = from[i];
      long large = value >> (Long.SIZE - 1);
      // Large ones are halved, with the dropped bit kept, and doubled again.
      long halved = value >>> 1 | (value & 1);
      float rounded = (value ^ ((value ^ halved) & large));
      to[i] = rounded + rounded * (float) -large;
    }
  }

  /** As {@link #toFloats(long[], float[], int, boolean)}. */
  public static void toDoubles(long[] from, double[] to, int count, boolean unsigned) {
    if (!unsigned) {
      for (int i = 0; i < count; i++) {
        to[i] = from[i];
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      // Only the sum is rounded.
      to[i] = (from[i] >>> 32) * TWO_TO_32 + (from[i] & 0xFFFF_FFFFL);
    }
  }

  /** As {@link #toIntegers}, for int64. */
  public static void toLongs(float[] from, long[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (long) from[i];
    }
  }

  /** As {@link #toIntegers}, for unsigned integers of 32 bits, or 64. */
  private static void toUnsigned(double[] from, long[] to, int count, long highest) {
    if (highest >= 0) {
      for (int i = 0; i < count; i++) {
        to[i] = Math.min(Math.max((long) from[i], 0), highest);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      // Below 2^63 the first counts, from there on both; bit 62 tells such a value from NaN.
      long lower = (long) from[i];
      long upper = (long) (from[i] - TWO_TO_63);
      long least = lower & ~(lower >> (Long.SIZE - 1));
      long both = ~(upper >> (Long.SIZE - 1)) & -(lower >>> (Long.SIZE - 2) & 1);
      to[i] = least + ((upper + 1) & both);
    }
  }

  /** Drops fractions; what is out of the target's range becomes its nearest value, NaN 0. */
  public static void toIntegers(double[] from, long[] to, int count, Codec<long[]> target) {
    if (target instanceof IntegerCodec integer) {
      if (!integer.isSigned()) {
        toUnsigned(from, to, count, integer.highest());
        return;
      }
      long lowest = integer.lowest();
      long highest = integer.highest();
      for (int i = 0; i < count; i++) {
        to[i] = Math.min(Math.max((long) from[i], lowest), highest);
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
}
