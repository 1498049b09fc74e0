package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * What is left of divisions in float32, exactly. A quotient that is rounded up to a whole number
 * leaves a rest of the wrong sign, to which the divisor is added once.
 */
public final class FloatRest {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

  private static final FloatVector ONE = Species.of(1f);
  private static final IntVector SIGN = Species.of(0x8000_0000);
  // Adding it to a smaller number rounds that.
  private static final FloatVector ROUNDER = Species.of(0x1p23f);
  // Quotients of less are off by less than 1.
  private static final float LARGEST_QUOTIENT = 0x1p22f;

  private FloatRest() {}

  /**
   * The rest of {@code a / b} rounded toward 0, for a vector.
   *
   * @return false where quotients are too large or there is none; then nothing is written
   */
  static boolean mod(float[] a, float[] b, int at) {
    FloatVector x = FloatVector.fromArray(SPECIES, a, at);
    FloatVector y = FloatVector.fromArray(SPECIES, b, at);
    if (!isOrdinary(x, y)) {
      return false;
    }
    rest(x, y).intoArray(a, at);
    return true;
  }

  /** As {@link #mod(float[], float[], int)}, but rounded down. */
  static boolean floorMod(float[] a, float[] b, int at) {
    FloatVector x = FloatVector.fromArray(SPECIES, a, at);
    FloatVector y = FloatVector.fromArray(SPECIES, b, at);
    if (!isOrdinary(x, y)) {
      return false;
    }
    FloatVector rest = rest(x, y);
    VectorMask<Float> differ = rest.compare(LT, 0f).xor(y.compare(LT, 0f));
    rest.add(y, differ.and(rest.compare(NE, 0f))).intoArray(a, at);
    return true;
  }

  /** The remainders of {@code x / y} rounded toward 0. */
  public static FloatVector mod(FloatVector x, FloatVector y) {
    return isOrdinary(x, y) ? rest(x, y) : restOfEach(x, y);
  }

  /** As {@link #mod(FloatVector, FloatVector)}, but rounded down. */
  public static FloatVector floorMod(FloatVector x, FloatVector y) {
    FloatVector rest = mod(x, y);
    VectorMask<Float> differ = rest.compare(LT, 0f).xor(y.compare(LT, 0f));
    return rest.add(y, differ.and(rest.compare(NE, 0f)));
  }

  private static FloatVector restOfEach(FloatVector x, FloatVector y) {
    float[] rests = x.toArray();
    float[] divisors = y.toArray();
    for (int i = 0; i < rests.length; i++) {
      rests[i] %= divisors[i];
    }
    return FloatVector.fromArray(SPECIES, rests, 0);
  }

  private static boolean isOrdinary(FloatVector x, FloatVector y) {
    VectorMask<Float> small = x.div(y).lanewise(ABS).compare(LT, LARGEST_QUOTIENT);
    return small.and(y.lanewise(ABS).compare(LT, Float.POSITIVE_INFINITY)).allTrue();
  }

  private static FloatVector rest(FloatVector x, FloatVector y) {
    FloatVector t = x.lanewise(ABS);
    FloatVector divisor = y.lanewise(ABS);
    FloatVector q = t.div(divisor);
    FloatVector whole = q.add(ROUNDER).sub(ROUNDER);
    whole = whole.sub(ONE, whole.compare(GT, q));
    FloatVector rest = whole.neg().fma(divisor, t);
    rest = rest.add(divisor, rest.compare(LT, 0f));
    IntVector sign = x.reinterpretAsInts().lanewise(AND, SIGN);
    return rest.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
  }
}
