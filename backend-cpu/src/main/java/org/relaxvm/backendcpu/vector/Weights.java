package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Exponentials of numbers that are not much above 0, as softmax and attention need them: what would
 * be below the normal range is 0, which halves the operations. How far they are off is measured by
 * a test and stands in {@code docs/benchmarks.md}.
 *
 * <p>A power of two is split off, {@code x = n ln 2 + r}; the rest is a polynomial, a near-minimax
 * fit made with 40 digits. Sums start from vectors made on the spot: one that starts from a
 * constant object stays an object in each turn of the loop.
 */
final class Weights {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();

  // Adding it rounds to an integer, which then stands in the low bits, with the bias of exponents.
  private static final float ROUNDER = 0x1.8p23f + 127;
  private static final float LOG2_E = 0x1.715476p0f;
  private static final float LN2 = 0x1.62e43p-1f;
  private static final float LN2_MORE = 0x1.05c610p-29f;
  private static final float C2 = 0.5f;
  private static final float C3 = 0.16666576f;
  private static final float C4 = 0.041666552f;
  private static final float C5 = 0.008363346f;
  private static final float C6 = 0.0013926392f;
  private static final float LEAST = -87f;

  private Weights() {}

  /** {@code exp(x)}, for {@code x} of at most 80. */
  static FloatVector of(FloatVector x) {
    FloatVector rounded = x.fma(Species.of(LOG2_E), Species.of(ROUNDER));
    FloatVector n = rounded.sub(ROUNDER);
    // ln 2 and what its rounding leaves, so that r is exact to the last place.
    FloatVector r = n.fma(Species.of(LN2_MORE), n.fma(Species.of(-LN2), x));
    FloatVector linear = r.add(1f);
    FloatVector square = r.mul(r);
    FloatVector c23 = r.fma(Species.of(C3), Species.of(C2));
    FloatVector c45 = r.fma(Species.of(C5), Species.of(C4));
    FloatVector low = square.fma(c23, linear);
    FloatVector high = square.fma(Species.of(C6), c45);
    FloatVector p = square.mul(square).fma(high, low);
    FloatVector power = rounded.reinterpretAsInts().lanewise(LSHL, 23).reinterpretAsFloats();
    // Not by a mask of what is large enough: NaN is kept.
    return p.mul(power).blend(0f, x.compare(LT, LEAST));
  }

  /** Replaces elements by {@code exp(x - shift)}; returns their sum. */
  static float replace(float[] x, int count, float shift) {
    FloatVector largest = Species.of(shift);
    FloatVector sum = Species.of(0f);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      FloatVector y = of(FloatVector.fromArray(SPECIES, x, i).sub(largest));
      y.intoArray(x, i);
      sum = sum.add(y);
    }
    return VectorSum.of(i < count ? sum.add(replaceLast(x, i, count, largest)) : sum);
  }

  private static FloatVector replaceLast(float[] x, int from, int count, FloatVector largest) {
    VectorMask<Float> mask = SPECIES.indexInRange(from, count);
    FloatVector y = of(FloatVector.fromArray(SPECIES, x, from, mask).sub(largest));
    y.intoArray(x, from, mask);
    return Species.of(0f).blend(y, mask);
  }

  /** The sum of {@code exp(x - shift)}. */
  static float sum(float[] x, int count, float shift) {
    FloatVector largest = Species.of(shift);
    FloatVector sum = Species.of(0f);
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      sum = sum.add(of(FloatVector.fromArray(SPECIES, x, i).sub(largest)));
    }
    return VectorSum.of(i < count ? sum.add(last(x, i, count, largest)) : sum);
  }

  private static FloatVector last(float[] x, int from, int count, FloatVector largest) {
    VectorMask<Float> mask = SPECIES.indexInRange(from, count);
    FloatVector y = of(FloatVector.fromArray(SPECIES, x, from, mask).sub(largest));
    return Species.of(0f).blend(y, mask);
  }
}
