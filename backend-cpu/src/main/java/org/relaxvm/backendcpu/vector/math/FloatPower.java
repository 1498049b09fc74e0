package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
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
  private static final DoubleVector NAN = DoubleVector.broadcast(SPECIES, Double.NaN);
  private static final DoubleVector HALF = DoubleVector.broadcast(SPECIES, 0.5);
  // Adding it rounds to a whole number.
  private static final DoubleVector ROUNDER = DoubleVector.broadcast(SPECIES, 0x1.8p52);
  private static final LongVector SIGN =
      LongVector.broadcast(SPECIES.withLanes(long.class), Long.MIN_VALUE);
  // Elements that are computed at once; a multiple of all vectors' lengths.
  private static final int BLOCK = 256;

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
      DoubleLog.log(powers, whole);
      for (int i = 0; i < whole; i++) {
        powers[i] *= exponents[i];
      }
      DoubleExp.apply(powers, whole);
      for (int i = 0; i < whole; i += LANES) {
        finish(i);
      }
      for (int i = 0; i < count; i++) {
        a[start + i] = (float) powers[i];
      }
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
  private void finish(int at) {
    DoubleVector x = DoubleVector.fromArray(SPECIES, bases, at);
    DoubleVector y = DoubleVector.fromArray(SPECIES, exponents, at);
    DoubleVector power = DoubleVector.fromArray(SPECIES, powers, at).blend(ONE, y.compare(EQ, 0));
    VectorMask<Double> fraction = y.add(ROUNDER).sub(ROUNDER).compare(NE, y);
    DoubleVector half = y.mul(HALF);
    VectorMask<Double> odd = half.add(ROUNDER).sub(ROUNDER).compare(NE, half).andNot(fraction);
    LongVector sign = x.reinterpretAsLongs().lanewise(AND, SIGN);
    DoubleVector signed = power.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
    power.blend(signed, odd).blend(NAN, x.compare(LT, 0).and(fraction)).intoArray(powers, at);
    VectorMask<Double> finite =
        x.lanewise(ABS)
            .compare(LT, Double.POSITIVE_INFINITY)
            .and(y.lanewise(ABS).compare(LT, Double.POSITIVE_INFINITY));
    if (!finite.allTrue()) {
      for (int i = at; i < at + LANES; i++) {
        if (!Double.isFinite(bases[i]) || !Double.isFinite(exponents[i])) {
          powers[i] = DoubleLanes.power(bases[i], exponents[i]);
        }
      }
    }
  }
}
