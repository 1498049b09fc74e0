package org.relaxvm.backendcpu.vector;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/** The exponential that sums of weights need, in vector code. */
final class FloatMath {
  private static final float LOG2_E = 0x1.715476p0f;
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final float LN2_HIGH = 0x1.62e3p-1f;
  private static final float LN2_LOW = 0x1.2fefa2p-17f;
  // Adding it rounds to an integer, which then stands in the low bits.
  private static final float ROUNDER = 0x1.8p23f;

  private FloatMath() {}

  /**
   * {@code exp(x)} of numbers that are not positive, with 0 in place of results below the normal
   * range. A power of two is split off; the rest {@code r} is at most ln(2)/2: {@code 1 + r + r^2
   * P(r)}.
   */
  static FloatVector expOfNegative(FloatVector x) {
    FloatVector rounded = x.fma(Species.of(LOG2_E), Species.of(ROUNDER));
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(Species.of(-LN2_HIGH), x);
    r = n.fma(Species.of(-LN2_LOW), r);
    FloatVector p = Species.of(0.0013926392f);
    p = p.fma(r, Species.of(0.008363346f));
    p = p.fma(r, Species.of(0.041666552f));
    p = p.fma(r, Species.of(0.16666576f));
    p = p.fma(r, Species.of(0.5f));
    FloatVector y = p.fma(r.mul(r), r).add(1f);
    // The low bits of the rounded number, which is 127 larger than those of the rounder for 2^0.
    IntVector bits = rounded.reinterpretAsInts().sub(Float.floatToRawIntBits(ROUNDER) - 127);
    FloatVector power = bits.lanewise(LSHL, 23).reinterpretAsFloats();
    return y.mul(power).blend(0f, x.compare(LT, -87f));
  }
}
