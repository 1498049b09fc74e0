package org.relaxvm.backendvulkan.math;

/**
 * How many floats lie between two floats: 0 for two NaNs, and for two zeros of one sign. Devices
 * may take what is subnormal as 0, so that it counts as any other of its sign.
 */
final class UnitDistance {
  /** Between a number and NaN, and between zeros of different signs. */
  static final long UNRELATED = Long.MAX_VALUE;

  private UnitDistance() {}

  static long of(float expected, float got) {
    if (!related(expected, got)) {
      return UNRELATED;
    }
    return isTiny(expected, Float.MIN_NORMAL) && isTiny(got, Float.MIN_NORMAL)
        ? 0
        : Math.abs(ordinal(expected) - ordinal(got));
  }

  static long of(double expected, double got) {
    if (!related(expected, got)) {
      return UNRELATED;
    }
    return isTiny(expected, Double.MIN_NORMAL) && isTiny(got, Double.MIN_NORMAL)
        ? 0
        : Math.abs(ordinal(expected) - ordinal(got));
  }

  /** Whether both are NaN, or both are numbers of one sign. */
  private static boolean related(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Double.isNaN(a) && Double.isNaN(b);
    }
    return Math.copySign(1, a) == Math.copySign(1, b);
  }

  private static boolean isTiny(double value, double leastNormal) {
    return Math.abs(value) <= leastNormal;
  }

  /** The number of a float when those of its sign are counted from 0. */
  private static long ordinal(float value) {
    return Float.floatToIntBits(value) & Integer.MAX_VALUE;
  }

  private static long ordinal(double value) {
    return Double.doubleToLongBits(value) & Long.MAX_VALUE;
  }
}
