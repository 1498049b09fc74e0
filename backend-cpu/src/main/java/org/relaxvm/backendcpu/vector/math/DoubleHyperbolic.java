package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The hyperbolic functions in float64: of the exponential function, and near 0 {@code x + x z P(z)}
 * with {@code z = x^2}.
 */
public final class DoubleHyperbolic {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector TWO = of(2.0);
  private static final DoubleVector QUARTER = of(0.25);
  private static final DoubleVector LARGE = of(20.0);
  private static final DoubleVector INFINITY = of(Double.POSITIVE_INFINITY);
  // From here on results are too large for a double.
  private static final double LARGEST = 0x1.633ce8fb9f87dp9;
  private static final DoubleVector T0 = of(-0.33333333333333315);
  private static final DoubleVector T1 = of(0.13333333333329858);
  private static final DoubleVector T2 = of(-0.05396825396611662);
  private static final DoubleVector T3 = of(0.02186948847016214);
  private static final DoubleVector T4 = of(-0.008863234333635487);
  private static final DoubleVector T5 = of(0.003592114192525201);
  private static final DoubleVector T6 = of(-0.0014557271023534913);
  private static final DoubleVector T7 = of(0.0005894563964972036);
  private static final DoubleVector T8 = of(-0.00023702379410159137);
  private static final DoubleVector T9 = of(9.157844544285949e-05);
  private static final DoubleVector T10 = of(-3.0206298947364356e-05);
  private static final DoubleVector T11 = of(6.050405151379838e-06);
  private static final DoubleVector S0 = of(0.16666666666666669);
  private static final DoubleVector S1 = of(0.008333333333333137);
  private static final DoubleVector S2 = of(0.00019841269841438676);
  private static final DoubleVector S3 = of(2.755731915501351e-06);
  private static final DoubleVector S4 = of(2.50521234512297e-08);
  private static final DoubleVector S5 = of(1.6057236150986186e-10);
  private static final DoubleVector S6 = of(7.759441778358092e-13);

  private DoubleHyperbolic() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  static void tanh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      tanh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void sinh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      sinh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void cosh(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      cosh(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** Further out {@code 1 - 2 / (exp(2 x) + 1)}. */
  public static DoubleVector tanh(DoubleVector x) {
    DoubleVector t = x.lanewise(ABS);
    LongVector sign = DoubleSigns.of(x);
    DoubleVector near = tanhNear(t);
    // The result is 1 where this is not t.
    DoubleVector bounded = t.blend(LARGE, t.compare(GT, 20));
    DoubleVector e = DoubleExp.bounded(bounded.add(bounded));
    DoubleVector y = ONE.sub(TWO.div(e.add(ONE))).blend(near, t.compare(LT, 0.625));
    return y.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }

  private static DoubleVector tanhNear(DoubleVector t) {
    DoubleVector z = t.mul(t);
    DoubleVector p = T11.fma(z, T10).fma(z, T9).fma(z, T8).fma(z, T7).fma(z, T6).fma(z, T5);
    return p.fma(z, T4).fma(z, T3).fma(z, T2).fma(z, T1).fma(z, T0).mul(z).fma(t, t);
  }

  /** By the exponential function, and near 0 the polynomial. */
  public static DoubleVector sinh(DoubleVector x) {
    LongVector sign = DoubleSigns.of(x);
    DoubleVector t = x.lanewise(ABS);
    DoubleVector half = halfOfExp(t);
    DoubleVector far = half.sub(QUARTER.div(half));
    far = t.add(INFINITY).blend(far, t.compare(LE, LARGEST));
    DoubleVector z = t.mul(t);
    DoubleVector p = S6.fma(z, S5).fma(z, S4).fma(z, S3).fma(z, S2).fma(z, S1).fma(z, S0);
    far = far.blend(p.mul(z).fma(t, t), t.compare(LT, 1));
    return far.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }

  /** By the exponential function. */
  public static DoubleVector cosh(DoubleVector x) {
    DoubleVector t = x.lanewise(ABS);
    DoubleVector half = halfOfExp(t);
    return t.add(INFINITY).blend(half.add(QUARTER.div(half)), t.compare(LE, LARGEST));
  }

  /** Half of the exponential function, which may fit a double where the whole does not. */
  private static DoubleVector halfOfExp(DoubleVector t) {
    DoubleVector power = DoubleExp.power(t);
    return DoubleExp.scaled(DoubleExp.ofRest(DoubleExp.rest(t, power)), power.sub(ONE));
  }
}
