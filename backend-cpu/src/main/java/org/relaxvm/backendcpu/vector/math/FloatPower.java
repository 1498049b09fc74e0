package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;

import java.util.List;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.element.DoubleLanes;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Powers of float32, by exponentials and logarithms in float64, which have digits enough that only
 * the last rounding is wrong.
 *
 * <p>Not thread-safe.
 */
public final class FloatPower {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();
  private static final DoubleVector ONE = DoubleVector.broadcast(SPECIES, 1);
  private static final DoubleVector INFINITY =
      DoubleVector.broadcast(SPECIES, Double.POSITIVE_INFINITY);
  // Elements that are computed at once; a multiple of all vectors' lengths.
  private static final int BLOCK = 256;

  /**
   * What is done to a block, one after the other. One call for all of them keeps each loop in a
   * method of its own: together they are too much for C2, which then makes an object of every
   * vector.
   */
  private static final List<Step> STEPS =
      List.of(
          (block, count) -> DoubleLog.log(block.powers, count),
          FloatPower::multiply,
          (block, count) -> DoubleExp.apply(block.powers, count),
          FloatPower::finish);

  private interface Step {
    void run(FloatPower block, int count);
  }

  private final double[] bases = new double[BLOCK];
  private final double[] exponents = new double[BLOCK];
  private final double[] powers = new double[BLOCK];

  /** {@code a[i] = a[i]} to the power of {@code b[i]}. */
  void apply(float[] a, float[] b, int from, int to) {
    for (int start = from; start < to; start += BLOCK) {
      int count = Math.min(BLOCK, to - start);
      for (int i = 0; i < count; i++) {
        bases[i] = a[start + i];
        exponents[i] = b[start + i];
        powers[i] = Math.abs(bases[i]);
      }
      // Up to whole vectors: what is left there of earlier elements is not read.
      int whole = SPECIES.loopBound(count + LANES - 1);
      for (Step step : STEPS) {
        step.run(this, whole);
      }
      for (int i = 0; i < count; i++) {
        a[start + i] = (float) powers[i];
      }
    }
  }

  private void multiply(int count) {
    for (int i = 0; i < count; i++) {
      powers[i] *= exponents[i];
    }
  }

  /** Powers of vectors, to within what rounding to float32 hides. */
  public static DoubleVector pow(DoubleVector x, DoubleVector y) {
    DoubleVector power = DoubleExp.exp(DoubleLog.log(x.lanewise(ABS)).mul(y));
    // The powers of 1 and -1 that are 0 times infinity.
    power = power.blend(ONE, x.lanewise(ABS).compare(EQ, 1).and(y.compare(EQ, y)));
    return DoublePower.signed(power, x, y);
  }

  /** Gives powers of negative bases their sign, and replaces those of infinite operands and NaN. */
  private void finish(int count) {
    for (int i = 0; i < count; i += LANES) {
      DoubleVector x = DoubleVector.fromArray(SPECIES, bases, i);
      DoubleVector y = DoubleVector.fromArray(SPECIES, exponents, i);
      VectorMask<Double> finite =
          x.lanewise(ABS).compare(LT, INFINITY).and(y.lanewise(ABS).compare(LT, INFINITY));
      if (finite.and(x.compare(GT, 0)).allTrue()) {
        continue;
      }
      DoublePower.signed(DoubleVector.fromArray(SPECIES, powers, i), x, y).intoArray(powers, i);
      if (!finite.allTrue()) {
        replaceInfinite(i);
      }
    }
  }

  private void replaceInfinite(int from) {
    for (int i = from; i < from + LANES; i++) {
      if (!Double.isFinite(bases[i]) || !Double.isFinite(exponents[i])) {
        powers[i] = DoubleLanes.power(bases[i], exponents[i]);
      }
    }
  }
}
