package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The exponential function in float64, in the steps of which others are made. A power of two is
 * split off; the rest {@code r} is at most ln(2)/2: {@code 1 + r + r^2 P(r)}.
 *
 * <p>Callers bound arguments, or replace results of arguments beyond bounds, where the power does
 * not fit an exponent. NaN stays NaN.
 */
public final class DoubleExp {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final DoubleVector LOG2_E = of(0x1.71547652b82fep0);
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final DoubleVector LN2_HIGH = of(-0x1.62e42fefa4p-1);
  private static final DoubleVector LN2_LOW = of(0x1.8432a1b0e2634p-43);
  // Adding it rounds to an integer, which then stands in the low bits.
  private static final DoubleVector ROUNDER = of(0x1.8p52);
  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector HALF = of(0.5);
  private static final DoubleVector MINUS_HALF = of(-0.5);
  private static final DoubleVector ZERO = of(0.0);
  private static final DoubleVector INFINITY = of(Double.POSITIVE_INFINITY);
  private static final DoubleVector UP = of(128.0);
  private static final DoubleVector DOWN = of(0x1p-128);
  private static final double LARGEST = 0x1.62e42fefa39efp9;
  private static final double SMALLEST = -745.2;
  // Results of smaller arguments may be below the normal numbers.
  private static final double SMALLEST_NORMAL = -700;
  private static final DoubleVector P0 = of(0.5000000000000011);
  private static final DoubleVector P1 = of(0.1666666666666641);
  private static final DoubleVector P2 = of(0.04166666666652988);
  private static final DoubleVector P3 = of(0.008333333333495578);
  private static final DoubleVector P4 = of(0.0013888888943726575);
  private static final DoubleVector P5 = of(0.00019841269504466125);
  private static final DoubleVector P6 = of(2.4801492980721615e-05);
  private static final DoubleVector P7 = of(2.7557588003659995e-06);
  private static final DoubleVector P8 = of(2.7630296094054734e-07);
  private static final DoubleVector P9 = of(2.499962613542118e-08);

  private DoubleExp() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  static void apply(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      exp(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** The exponential function of a vector. */
  public static DoubleVector exp(DoubleVector x) {
    DoubleVector power = power(x);
    DoubleVector y = scaled(ofRest(rest(x, power)), power, x.compare(LT, SMALLEST_NORMAL));
    y = x.add(INFINITY).blend(y, x.compare(LE, LARGEST));
    return y.blend(ZERO, x.compare(LT, SMALLEST));
  }

  /** {@code exp(x)} for arguments from -708 to 709. */
  static DoubleVector bounded(DoubleVector x) {
    DoubleVector power = x.fma(LOG2_E, ROUNDER);
    DoubleVector n = power.sub(ROUNDER);
    DoubleVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    DoubleVector p = P9.fma(r, P8).fma(r, P7).fma(r, P6).fma(r, P5).fma(r, P4);
    p = p.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    LongVector exponent = power.reinterpretAsLongs().lanewise(LSHL, 52);
    DoubleVector y = p.fma(r.mul(r), r).add(ONE);
    return y.reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
  }

  /** {@code exp(-t^2 / 2) v}; what was rounded off the square is made good. */
  static DoubleVector ofHalfSquare(DoubleVector t, DoubleVector v) {
    DoubleVector minusSquare = t.mul(t).neg();
    DoubleVector x = minusSquare.mul(HALF);
    VectorMask<Double> small = x.compare(LT, SMALLEST_NORMAL);
    DoubleVector power = x.fma(LOG2_E, ROUNDER);
    DoubleVector n = power.sub(ROUNDER);
    DoubleVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    r = t.fma(t, minusSquare).fma(MINUS_HALF, r);
    DoubleVector p = P9.fma(r, P8).fma(r, P7).fma(r, P6).fma(r, P5).fma(r, P4);
    p = p.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    DoubleVector y = p.fma(r.mul(r), r).fma(v, v);
    LongVector exponent = power.add(UP, small).reinterpretAsLongs().lanewise(LSHL, 52);
    return y.reinterpretAsLongs().add(exponent).reinterpretAsDoubles().mul(DOWN, small);
  }

  /** The power of two that is split off, in the low bits. */
  static DoubleVector power(DoubleVector x) {
    return x.fma(LOG2_E, ROUNDER);
  }

  /** What is left of the argument. */
  static DoubleVector rest(DoubleVector x, DoubleVector power) {
    DoubleVector n = power.sub(ROUNDER);
    return n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
  }

  /** {@code (exp(r) - 1 - r) / r^2}. */
  static DoubleVector p(DoubleVector r) {
    DoubleVector p = P9.fma(r, P8).fma(r, P7).fma(r, P6).fma(r, P5).fma(r, P4);
    return p.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
  }

  /** {@code exp(r)}. */
  static DoubleVector ofRest(DoubleVector r) {
    return p(r).fma(r.mul(r), r).add(ONE);
  }

  /** {@code exp(r) - 1}. */
  static DoubleVector lessOne(DoubleVector r) {
    return p(r).fma(r.mul(r), r);
  }

  /** {@code y} times the power of two, where the result is a normal number. */
  static DoubleVector scaled(DoubleVector y, DoubleVector power) {
    LongVector exponent = power.reinterpretAsLongs().lanewise(LSHL, 52);
    return y.reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
  }

  /**
   * {@code y} times the power of two.
   *
   * @param small where the result may be below the normal numbers, but not more than 2^128 times
   */
  static DoubleVector scaled(DoubleVector y, DoubleVector power, VectorMask<Double> small) {
    LongVector exponent = power.add(UP, small).reinterpretAsLongs().lanewise(LSHL, 52);
    DoubleVector scaled = y.reinterpretAsLongs().add(exponent).reinterpretAsDoubles();
    return scaled.mul(DOWN, small);
  }
}
