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
    // Of pairs of terms: a chain of all would keep the processor waiting.
    FloatVector square = r.mul(r);
    FloatVector high = square.fma(Species.of(C6), r.fma(Species.of(C5), Species.of(C4)));
    FloatVector middle = square.fma(high, r.fma(Species.of(C3), Species.of(C2)));
    FloatVector p = square.fma(middle, r).add(1f);
    FloatVector power = rounded.reinterpretAsInts().lanewise(LSHL, 23).reinterpretAsFloats();
    // Not by a mask of what is large enough: NaN is kept.
    return p.mul(power).blend(0f, x.compare(LT, LEAST));
  }

  /** Replaces elements by {@code exp(x - shift)}; returns their sum. */
  static float replace(float[] x, int count, float shift) {
    float[] sums = new float[LANES];
    int whole = count - count % LANES;
    replaceWhole(x, whole, shift, sums);
    float sum = VectorSum.ofLanes(sums);
    return whole < count ? sum + replaceLast(x, whole, count, shift) : sum;
  }

  /** Gives sums back in an array: what is returned as a vector may become an object in the loop. */
  private static void replaceWhole(float[] x, int count, float shift, float[] sums) {
    FloatVector largest = Species.of(shift);
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int i = 0; i < count; i += LANES) {
      FloatVector y = of(FloatVector.fromArray(SPECIES, x, i).sub(largest));
      y.intoArray(x, i);
      sum = sum.add(y);
    }
    sum.intoArray(sums, 0);
  }

  /** Replaces elements that do not fill a vector; returns their sum. */
  static float replaceLast(float[] x, int from, int count, float shift) {
    VectorMask<Float> mask = SPECIES.indexInRange(from, count);
    FloatVector y = of(FloatVector.fromArray(SPECIES, x, from, mask).sub(shift));
    y.intoArray(x, from, mask);
    return VectorSum.of(Species.of(0f).blend(y, mask));
  }

  /** Replaces elements by {@code exp(x - shift)}, with a shift per element. */
  static void replace(float[] x, float[] shift, int count) {
    int whole = count - count % LANES;
    for (int i = 0; i < whole; i += LANES) {
      of(FloatVector.fromArray(SPECIES, x, i).sub(FloatVector.fromArray(SPECIES, shift, i)))
          .intoArray(x, i);
    }
    if (whole < count) {
      VectorMask<Float> mask = SPECIES.indexInRange(whole, count);
      FloatVector last = FloatVector.fromArray(SPECIES, shift, whole, mask);
      of(FloatVector.fromArray(SPECIES, x, whole, mask).sub(last)).intoArray(x, whole, mask);
    }
  }

  /** The sum of {@code exp(x - shift)}. */
  static float sum(float[] x, int count, float shift) {
    float[] sums = new float[LANES];
    int whole = count - count % LANES;
    sumWhole(x, whole, shift, sums);
    float sum = VectorSum.ofLanes(sums);
    return whole < count ? sum + last(x, whole, count, shift) : sum;
  }

  private static void sumWhole(float[] x, int count, float shift, float[] sums) {
    FloatVector largest = Species.of(shift);
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int i = 0; i < count; i += LANES) {
      sum = sum.add(of(FloatVector.fromArray(SPECIES, x, i).sub(largest)));
    }
    sum.intoArray(sums, 0);
  }

  private static float last(float[] x, int from, int count, float shift) {
    VectorMask<Float> mask = SPECIES.indexInRange(from, count);
    FloatVector y = of(FloatVector.fromArray(SPECIES, x, from, mask).sub(shift));
    return VectorSum.of(Species.of(0f).blend(y, mask));
  }
}
