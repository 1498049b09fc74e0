package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * What is left of divisions in float64, exactly. A quotient that is rounded up to a whole number
 * leaves a rest of the wrong sign, to which the divisor is added once.
 */
public final class DoubleRest {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;

  private static final DoubleVector ONE = DoubleVector.broadcast(SPECIES, 1);
  private static final DoubleVector ZERO = DoubleVector.broadcast(SPECIES, 0);
  // Adding it to a smaller number rounds that.
  private static final DoubleVector ROUNDER = DoubleVector.broadcast(SPECIES, 0x1p52);
  // Quotients of less are off by less than 1.
  private static final double LARGEST_QUOTIENT = 0x1p52;

  private DoubleRest() {}

  /**
   * The rest of {@code a / b} rounded toward 0, for a vector.
   *
   * @return false where quotients are too large or there is none; then nothing is written
   */
  static boolean mod(double[] a, double[] b, int at) {
    DoubleVector x = DoubleVector.fromArray(SPECIES, a, at);
    DoubleVector y = DoubleVector.fromArray(SPECIES, b, at);
    DoubleVector t = x.lanewise(ABS);
    DoubleVector divisor = y.lanewise(ABS);
    DoubleVector q = t.div(divisor);
    if (!isOrdinary(q, divisor)) {
      return false;
    }
    rest(x, t, divisor, q).intoArray(a, at);
    return true;
  }

  /** As {@link #mod(double[], double[], int)}, but rounded down. */
  static boolean floorMod(double[] a, double[] b, int at) {
    DoubleVector x = DoubleVector.fromArray(SPECIES, a, at);
    DoubleVector y = DoubleVector.fromArray(SPECIES, b, at);
    DoubleVector t = x.lanewise(ABS);
    DoubleVector divisor = y.lanewise(ABS);
    DoubleVector q = t.div(divisor);
    if (!isOrdinary(q, divisor)) {
      return false;
    }
    DoubleVector rest = rest(x, t, divisor, q);
    VectorMask<Double> differ = rest.compare(LT, ZERO).xor(y.compare(LT, ZERO));
    rest.add(y, differ.and(rest.compare(NE, ZERO))).intoArray(a, at);
    return true;
  }

  /** The remainders of {@code x / y} rounded toward 0. */
  public static DoubleVector mod(DoubleVector x, DoubleVector y) {
    DoubleVector t = x.lanewise(ABS);
    DoubleVector divisor = y.lanewise(ABS);
    DoubleVector q = t.div(divisor);
    return isOrdinary(q, divisor) ? rest(x, t, divisor, q) : restOfEach(x, y);
  }

  /** As {@link #mod(DoubleVector, DoubleVector)}, but rounded down. */
  public static DoubleVector floorMod(DoubleVector x, DoubleVector y) {
    DoubleVector rest = mod(x, y);
    VectorMask<Double> differ = rest.compare(LT, ZERO).xor(y.compare(LT, ZERO));
    return rest.add(y, differ.and(rest.compare(NE, ZERO)));
  }

  private static DoubleVector restOfEach(DoubleVector x, DoubleVector y) {
    double[] rests = x.toArray();
    double[] divisors = y.toArray();
    for (int i = 0; i < rests.length; i++) {
      rests[i] %= divisors[i];
    }
    return DoubleVector.fromArray(SPECIES, rests, 0);
  }

  private static boolean isOrdinary(DoubleVector q, DoubleVector divisor) {
    VectorMask<Double> small = q.compare(LT, LARGEST_QUOTIENT);
    return small.and(divisor.compare(LT, Double.POSITIVE_INFINITY)).allTrue();
  }

  private static DoubleVector rest(
      DoubleVector x, DoubleVector t, DoubleVector divisor, DoubleVector q) {
    DoubleVector whole = q.add(ROUNDER).sub(ROUNDER);
    whole = whole.sub(ONE, whole.compare(GT, q));
    DoubleVector rest = whole.neg().fma(divisor, t);
    rest = rest.add(divisor, rest.compare(LT, ZERO));
    return rest.reinterpretAsLongs().lanewise(OR, DoubleSigns.of(x)).reinterpretAsDoubles();
  }
}
