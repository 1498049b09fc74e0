package org.relaxvm.backendvulkan.math;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.relaxvm.api.DType;

/**
 * First and second arguments of functions of floats: all pairs of special ones, and random ones.
 * None is subnormal, as devices may take these as 0. All are of the dtype.
 */
record FloatArguments(double[] first, double[] second) {
  private static final int RANDOM = 20_000;

  private static final double[] SPECIAL = {
    0.0,
    Double.POSITIVE_INFINITY,
    Double.NaN,
    0.5,
    1,
    1.5,
    2,
    2.5,
    3,
    0x1p-60,
    0x1p-13,
    Math.nextDown(1.0),
    Math.nextUp(1.0),
    Math.nextDown(1f),
    Math.nextUp(1f),
    Math.PI / 4,
    Math.PI / 2,
    Math.PI,
    // Where float32 and float64 have their last odd integers, and their last halves.
    0x1p24 - 1,
    0x1p24 + 2,
    0x1p23 - 0.5,
    0x1p53 - 1,
    0x1p53 + 2,
    0x1p52 - 0.5,
    // About where exp is 0 or infinite.
    88.722839,
    88.73,
    104,
    709.782712893384,
    709.79,
    746,
    // Near multiples of pi / 2, with more digits of it than a float has.
    16367173.0 * 0x1p72,
    6381956970095103.0 * 0x1p797,
    1e5,
    1e20,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE
  };

  static FloatArguments of(MathFunction function, DType dtype, Random random) {
    List<Double> special = new ArrayList<>();
    for (double size : SPECIAL) {
      for (double value : new double[] {rounded(size, dtype), -rounded(size, dtype)}) {
        if (isUsual(value, dtype)) {
          special.add(value);
        }
      }
    }
    int pairs = special.size() * special.size();
    double[] first = new double[pairs + RANDOM];
    double[] second = new double[pairs + RANDOM];
    for (int i = 0; i < first.length; i++) {
      boolean drawn = i >= pairs;
      first[i] = drawn ? any(function, dtype, random) : special.get(i / special.size());
      second[i] = drawn ? any(function, dtype, random) : special.get(i % special.size());
    }
    return new FloatArguments(first, second);
  }

  /** Of all exponents, of the range where the function changes, or an integer there. */
  private static double any(MathFunction function, DType dtype, Random random) {
    double inRange = function.low() + (function.high() - function.low()) * random.nextDouble();
    double value =
        switch (random.nextInt(4)) {
          case 0 ->
              dtype.equals(DType.FLOAT32)
                  ? Float.intBitsToFloat(random.nextInt())
                  : Double.longBitsToDouble(random.nextLong());
          case 1 -> Math.rint(inRange);
          default -> rounded(inRange, dtype);
        };
    return isUsual(value, dtype) ? value : 0;
  }

  private static double rounded(double value, DType dtype) {
    return dtype.equals(DType.FLOAT32) ? (float) value : value;
  }

  private static boolean isUsual(double value, DType dtype) {
    double least = dtype.equals(DType.FLOAT32) ? Float.MIN_NORMAL : Double.MIN_NORMAL;
    return value == 0 || !(Math.abs(value) < least);
  }
}
