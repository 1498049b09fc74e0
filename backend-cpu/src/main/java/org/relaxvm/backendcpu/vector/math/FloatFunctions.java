package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.SQRT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import org.relaxvm.backendcpu.vector.Species;

/**
 * Functions of float32 in vector code, without branches and without tables. The coefficients are
 * near-minimax fits in the variables that are named beside them, made with 40 digits and rounded to
 * float32. NaN and infinities give what the functions of {@link Math} give; results below the
 * normal range are gradual. How far each is off the true value is measured by a test and stands in
 * {@code docs/benchmarks.md}.
 */
final class FloatFunctions {
  private static final float LOG2_E = 0x1.715476p0f;
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final float LN2_HIGH = 0x1.62e3p-1f;
  private static final float LN2_LOW = 0x1.2fefa2p-17f;
  // Adding it rounds to an integer, which then stands in the low bits.
  private static final float ROUNDER = 0x1.8p23f;
  private static final int SIGN = 0x8000_0000;

  private FloatFunctions() {}

  static FloatVector exp(FloatVector x) {
    return expTimes(x, Species.of(1f));
  }

  /**
   * {@code exp(x) factor}, also where the exponential alone is below the normal range. A power of
   * two is split off; the rest {@code r} is at most ln(2)/2: {@code 1 + r + r^2 P(r)}.
   */
  private static FloatVector expTimes(FloatVector x, FloatVector factor) {
    // Further out the result is 0 or infinity all the same.
    FloatVector bounded = x.max(-128f).min(89f);
    FloatVector rounded = bounded.fma(Species.of(LOG2_E), Species.of(ROUNDER));
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(Species.of(-LN2_HIGH), bounded);
    r = n.fma(Species.of(-LN2_LOW), r);
    FloatVector p = Species.of(0.0013926392f);
    p = p.fma(r, Species.of(0.008363346f));
    p = p.fma(r, Species.of(0.041666552f));
    p = p.fma(r, Species.of(0.16666576f));
    p = p.fma(r, Species.of(0.5f));
    FloatVector y = p.fma(r.mul(r), r).add(1f).mul(factor);
    // Two steps: one power alone can be neither below the normal numbers nor 2^128.
    IntVector exponent = rounded.reinterpretAsInts().sub(Float.floatToRawIntBits(ROUNDER));
    IntVector half = exponent.lanewise(ASHR, 1);
    return y.mul(powerOfTwo(half)).mul(powerOfTwo(exponent.sub(half)));
  }

  private static FloatVector powerOfTwo(IntVector exponent) {
    return exponent.add(127).lanewise(LSHL, 23).reinterpretAsFloats();
  }

  /**
   * With {@code x = 2^k (1 + f)}, {@code 1 + f} between the roots of 1/2 and 2, and {@code s = f /
   * (2 + f)}: {@code log(1 + f) = 2 s + s z P(z)}, {@code z = s^2}.
   */
  static FloatVector log(FloatVector x) {
    VectorMask<Float> subnormal = x.compare(LT, Float.MIN_NORMAL);
    IntVector bits = x.mul(0x1p25f, subnormal).reinterpretAsInts();
    int rootOfHalf = Float.floatToRawIntBits(0.70710677f);
    IntVector shifted = bits.sub(rootOfHalf);
    FloatVector k = (FloatVector) shifted.lanewise(ASHR, 23).castShape(Species.FLOAT, 0);
    k = k.sub(25f, subnormal);
    FloatVector f = shifted.lanewise(AND, 0x7F_FFFF).add(rootOfHalf).reinterpretAsFloats().sub(1f);
    FloatVector s = f.div(f.add(2f));
    FloatVector z = s.mul(s);
    FloatVector p = Species.of(0.23330964f);
    p = p.fma(z, Species.of(0.28550804f));
    p = p.fma(z, Species.of(0.40000123f));
    p = p.fma(z, Species.of(0.6666667f));
    // 2 s = f - s f, and f is exact.
    FloatVector low = s.neg().fma(f.sub(p.mul(z)), k.mul(LN2_LOW));
    FloatVector y = k.fma(Species.of(LN2_HIGH), f.add(low));
    y = y.blend(Float.NEGATIVE_INFINITY, x.compare(EQ, 0f));
    y = y.blend(Float.NaN, x.compare(LT, 0f));
    return y.blend(x, x.compare(LT, Float.POSITIVE_INFINITY).not());
  }

  /** {@code x + x z P(z)}, {@code z = x^2}, near 0; {@code 1 - 2 / (exp(2 x) + 1)} further out. */
  static FloatVector tanh(FloatVector x) {
    FloatVector t = x.lanewise(ABS);
    FloatVector z = t.mul(t);
    FloatVector p = Species.of(0.0022927448f);
    p = p.fma(z, Species.of(-0.008343945f));
    p = p.fma(z, Species.of(0.021768918f));
    p = p.fma(z, Species.of(-0.053959258f));
    p = p.fma(z, Species.of(0.13333304f));
    p = p.fma(z, Species.of(-0.33333334f));
    FloatVector near = p.mul(z).fma(t, t);
    FloatVector far = Species.of(1f).sub(Species.of(2f).div(exp(t.add(t)).add(1f)));
    return withSignOf(x, far.blend(near, t.compare(LT, 0.625f)));
  }

  /** {@code 1 / (1 + exp(-x))}, for negative {@code x} as {@code exp(x) / (1 + exp(x))}. */
  static FloatVector sigmoid(FloatVector x) {
    FloatVector e = exp(x.lanewise(ABS).neg());
    return Species.of(1f).blend(e, x.compare(LT, 0f)).div(e.add(1f));
  }

  /** {@code x sigmoid(x)}, as for {@link #sigmoid}; the limit at negative infinity is 0. */
  static FloatVector silu(FloatVector x) {
    FloatVector negative = x.lanewise(ABS).neg();
    FloatVector scaled = expTimes(negative, x.max(-128f));
    return x.blend(scaled, x.compare(LT, 0f)).div(exp(negative).add(1f));
  }

  static FloatVector rsqrt(FloatVector x) {
    return Species.of(1f).div(x.lanewise(SQRT));
  }

  /** {@code x + x P(x^2)} below 1, above {@code 1 - exp(-x^2) P(u) / (1 + 2 x)}. */
  static FloatVector erf(FloatVector x) {
    FloatVector t = x.lanewise(ABS);
    FloatVector z = t.mul(t);
    FloatVector p = Species.of(7.875875e-05f);
    p = p.fma(z, Species.of(-0.00080168643f));
    p = p.fma(z, Species.of(0.0051890872f));
    p = p.fma(z, Species.of(-0.026854211f));
    p = p.fma(z, Species.of(0.11283594f));
    p = p.fma(z, Species.of(-0.37612626f));
    p = p.fma(z, Species.of(0.12837917f));
    FloatVector near = p.fma(t, t);
    FloatVector bounded = t.min(10.2f);
    // u = (x - 2) / (x + 2)
    FloatVector u = bounded.sub(2f).div(bounded.add(2f));
    FloatVector q = Species.of(0.00012992654f);
    q = q.fma(u, Species.of(-0.0017234213f));
    q = q.fma(u, Species.of(0.0011843286f));
    q = q.fma(u, Species.of(0.008794198f));
    q = q.fma(u, Species.of(-0.00803311f));
    q = q.fma(u, Species.of(-0.05422578f));
    q = q.fma(u, Species.of(0.16405152f));
    q = q.fma(u, Species.of(-0.16603024f));
    q = q.fma(u, Species.of(-0.09276383f));
    q = q.fma(u, Species.of(1.2769784f));
    FloatVector tail = q.div(bounded.add(bounded).add(1f)).mul(exp(z.neg()));
    FloatVector far = Species.of(1f).sub(tail);
    return withSignOf(x, far.blend(near, t.compare(LT, 1f)));
  }

  /** A result that is not negative, with the sign of the argument. */
  private static FloatVector withSignOf(FloatVector x, FloatVector size) {
    IntVector sign = x.reinterpretAsInts().lanewise(AND, SIGN);
    return size.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
  }
}
