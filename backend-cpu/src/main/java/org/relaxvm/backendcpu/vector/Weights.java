package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Exponentials of numbers that are not much above 0, as softmax and attention need them: what would
 * be below the normal range is 0, which halves the operations. How far they are off is measured by
 * a test and stands in {@code docs/benchmarks.md}.
 *
 * <p>A power of two is split off, {@code x = n ln 2 + r}; the rest is a polynomial, a near-minimax
 * fit made with 40 digits. Where a vector holds sixteen powers of two, {@code n} is a multiple of
 * 1/16 and half of the polynomial is enough. Sums start from vectors made on the spot: one that
 * starts from a constant object stays an object in each iteration of the loop.
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

  // The same for sixteenths: the bits of 2^(j / 16) less j at the place where it will be added.
  private static final int STEPS = 16;
  private static final float STEP_ROUNDER = 0x1.8p23f / STEPS;
  private static final float D2 = 0.5f;
  private static final float D3 = 0.16666667f;
  private static final IntVector POWERS =
      IntVector.fromArray(
          Species.INT,
          new int[] {
            0x3F800000, 0x3F7DAAC3, 0x3F7B95C2, 0x3F79C3D3,
            0x3F7837F0, 0x3F76F532, 0x3F75FED7, 0x3F75583F,
            0x3F7504F3, 0x3F7508A4, 0x3F75672A, 0x3F76248C,
            0x3F7744FD, 0x3F78CCDF, 0x3F7AC0C7, 0x3F7D257D
          },
          0);

  private Weights() {}

  /** {@code exp(x)}, for {@code x} of at most 80. */
  static FloatVector of(FloatVector x) {
    return LANES == STEPS ? bySixteenths(x) : byOnes(x);
  }

  private static FloatVector bySixteenths(FloatVector x) {
    FloatVector rounded = x.fma(Species.of(LOG2_E), Species.of(STEP_ROUNDER));
    FloatVector n = rounded.sub(STEP_ROUNDER);
    FloatVector r = n.fma(Species.of(LN2_MORE), n.fma(Species.of(-LN2), x));
    FloatVector p = r.fma(Species.of(D3), Species.of(D2)).fma(r, Species.of(1f)).mul(r);
    IntVector sixteenths = rounded.reinterpretAsInts();
    FloatVector power =
        sixteenths.selectFrom(POWERS).add(sixteenths.lanewise(LSHL, 19)).reinterpretAsFloats();
    return power.fma(p, power).blend(0f, x.compare(LT, LEAST));
  }

  private static FloatVector byOnes(FloatVector x) {
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
    replaceWhole(x, shift, whole);
    if (whole < count) {
      replaceLast(x, shift, whole, count);
    }
  }

  private static void replaceWhole(float[] x, float[] shift, int count) {
    for (int i = 0; i < count; i += LANES) {
      of(FloatVector.fromArray(SPECIES, x, i).sub(FloatVector.fromArray(SPECIES, shift, i)))
          .intoArray(x, i);
    }
  }

  private static void replaceLast(float[] x, float[] shift, int from, int count) {
    VectorMask<Float> mask = SPECIES.indexInRange(from, count);
    FloatVector last = FloatVector.fromArray(SPECIES, shift, from, mask);
    of(FloatVector.fromArray(SPECIES, x, from, mask).sub(last)).intoArray(x, from, mask);
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
