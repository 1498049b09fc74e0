package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The normal distribution {@code F} in float64, for gelu and the error function. With {@code t =
 * |x|}, {@code t F(-t) = exp(-t^2 / 2) V(u)} and {@code u = (t - 3/2) / (t + 7/2)}.
 */
public final class DoubleNormal {
  private static final VectorSpecies<Double> SPECIES = Species.DOUBLE;
  private static final int LANES = SPECIES.length();

  private static final DoubleVector ONE = of(1.0);
  private static final DoubleVector TWO = of(2.0);
  private static final DoubleVector HALF = of(0.5);
  private static final DoubleVector MINUS_ZERO = of(-0.0);
  private static final DoubleVector ROOT_OF_2 = of(0x1.6a09e667f3bcdp0);
  private static final DoubleVector ROOT = of(1.5);
  private static final DoubleVector POLE = of(3.5);
  private static final DoubleVector LARGE = of(38.8);
  private static final double GELU_NEAR = 0.65;
  // The error function of more is 1.
  private static final double ERF_LARGE = 6;
  private static final DoubleVector V0 = of(0.308671000466092);
  private static final DoubleVector V1 = of(0.3518687353719186);
  private static final DoubleVector V2 = of(-0.5854055053669011);
  private static final DoubleVector V3 = of(0.5324938441962291);
  private static final DoubleVector V4 = of(-0.2516014069465337);
  private static final DoubleVector V5 = of(0.014223203072225313);
  private static final DoubleVector V6 = of(0.04147715010374649);
  private static final DoubleVector V7 = of(-0.006257941312856869);
  private static final DoubleVector V8 = of(-0.009143126271037793);
  private static final DoubleVector V9 = of(0.00048032590627476073);
  private static final DoubleVector V10 = of(0.0023571983491198524);
  private static final DoubleVector V11 = of(0.00045305531298332947);
  private static final DoubleVector V12 = of(-0.0005074500385358849);
  private static final DoubleVector V13 = of(-0.0003036988694798306);
  private static final DoubleVector V14 = of(1.5765878419168935e-05);
  private static final DoubleVector V15 = of(0.00010286522186398858);
  private static final DoubleVector V16 = of(0.0001335666086087706);
  private static final DoubleVector V17 = of(-0.0002927386586271611);
  private static final DoubleVector V18 = of(0.0004465533191184591);
  private static final DoubleVector V19 = of(-0.0004928515801496724);
  private static final DoubleVector V20 = of(0.0003135334172034883);
  private static final DoubleVector V21 = of(-0.00010390845301390458);
  private static final DoubleVector V22 = of(1.4110673460360235e-05);
  private static final DoubleVector P0 = of(0.39894228040143265);
  private static final DoubleVector P1 = of(-0.06649038006690472);
  private static final DoubleVector P2 = of(0.009973557010007876);
  private static final DoubleVector P3 = of(-0.0011873282149873045);
  private static final DoubleVector P4 = of(0.00011543468285933413);
  private static final DoubleVector P5 = of(-9.444629119561801e-06);
  private static final DoubleVector P6 = of(6.658751784886758e-07);
  private static final DoubleVector P7 = of(-4.1031098821439374e-08);
  private static final DoubleVector P8 = of(2.0487518541670366e-09);
  private static final DoubleVector E0 = of(0.1283791670955126);
  private static final DoubleVector E1 = of(-0.3761263890318375);
  private static final DoubleVector E2 = of(0.11283791670954882);
  private static final DoubleVector E3 = of(-0.026866170645077358);
  private static final DoubleVector E4 = of(0.005223977624823091);
  private static final DoubleVector E5 = of(-0.0008548326981102991);
  private static final DoubleVector E6 = of(0.00012055331120648926);
  private static final DoubleVector E7 = of(-1.4925595464024738e-05);
  private static final DoubleVector E8 = of(1.6461003344577548e-06);
  private static final DoubleVector E9 = of(-1.6350339883798446e-07);
  private static final DoubleVector E10 = of(1.4659937473879251e-08);
  private static final DoubleVector E11 = of(-1.1373398091678893e-09);
  private static final DoubleVector E12 = of(5.95797730962743e-11);

  private DoubleNormal() {}

  private static DoubleVector of(double value) {
    return DoubleVector.broadcast(SPECIES, value);
  }

  static void gelu(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      gelu(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void erf(double[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      erf(DoubleVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** Near 0 {@code x (1/2 + x P(x^2))}. */
  private static DoubleVector gelu(DoubleVector x) {
    DoubleVector size = x.lanewise(ABS);
    DoubleVector t = size.blend(LARGE, size.compare(GT, 38.8));
    DoubleVector tail = DoubleExp.ofHalfSquare(t, v(t));
    // x F(x) is x - tail where x is positive, or NaN.
    DoubleVector far = x.blend(MINUS_ZERO, x.compare(LT, 0)).sub(tail);
    DoubleVector z = t.mul(t);
    DoubleVector p = P8.fma(z, P7).fma(z, P6).fma(z, P5).fma(z, P4);
    DoubleVector near = p.fma(z, P3).fma(z, P2).fma(z, P1).fma(z, P0).fma(x, HALF).mul(x);
    return far.blend(near, t.compare(LT, GELU_NEAR));
  }

  private static DoubleVector v(DoubleVector t) {
    DoubleVector u = t.sub(ROOT).div(t.add(POLE));
    DoubleVector v = V22.fma(u, V21).fma(u, V20).fma(u, V19).fma(u, V18).fma(u, V17).fma(u, V16);
    v = v.fma(u, V15).fma(u, V14).fma(u, V13).fma(u, V12).fma(u, V11).fma(u, V10).fma(u, V9);
    v = v.fma(u, V8).fma(u, V7).fma(u, V6).fma(u, V5).fma(u, V4).fma(u, V3).fma(u, V2);
    return v.fma(u, V1).fma(u, V0);
  }

  /** {@code x + x E(x^2)} below 1, above {@code 1 - 2 F(-sqrt(2) x)}. */
  public static DoubleVector erf(DoubleVector x) {
    DoubleVector size = x.lanewise(ABS);
    DoubleVector t = size.mul(ROOT_OF_2);
    DoubleVector v = v(t);
    LongVector sign = DoubleSigns.of(x);
    DoubleVector e = DoubleExp.bounded(size.mul(size.neg()));
    DoubleVector far = ONE.sub(v.mul(e).mul(TWO).div(t)).blend(ONE, size.compare(GT, ERF_LARGE));
    DoubleVector z = size.mul(size);
    DoubleVector p = E12.fma(z, E11).fma(z, E10).fma(z, E9).fma(z, E8).fma(z, E7).fma(z, E6);
    p = p.fma(z, E5).fma(z, E4).fma(z, E3).fma(z, E2).fma(z, E1).fma(z, E0);
    DoubleVector y = far.blend(p.fma(size, size), size.compare(LT, 1));
    return y.reinterpretAsLongs().lanewise(OR, sign).reinterpretAsDoubles();
  }
}
