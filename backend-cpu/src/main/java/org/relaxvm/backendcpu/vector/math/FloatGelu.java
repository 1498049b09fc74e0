package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.MIN;
import static jdk.incubator.vector.VectorOperators.OR;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * {@code x F(x)} with the normal distribution's {@code F}, in float32.
 *
 * <p>Near 0 {@code F(x) = 1/2 + x P(x^2)}. Further out, with {@code t = |x|}, {@code t F(-t) =
 * exp(-t^2 / 2) V(u)} and {@code u = (t - 3/2) / (t + 7/2)}, which is most accurate where {@code V}
 * is steepest.
 *
 * <p>The JIT compiler inlines methods of up to 325 bytes only, which is why there are several.
 */
final class FloatGelu {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private static final FloatVector HALF = Species.of(0.5f);
  private static final FloatVector MINUS_HALF = Species.of(-0.5f);
  private static final FloatVector MINUS_ZERO = Species.of(-0f);
  private static final IntVector SIGN = Species.of(0x8000_0000);
  private static final IntVector SIZE = Species.of(0x7FFF_FFFF);
  private static final float NEAR = 0.65f;
  // The result at negative numbers of this size is 0.
  private static final IntVector LARGE = Species.of(Float.floatToRawIntBits(14.5f));

  private static final FloatVector P0 = Species.of(0.398942279f);
  private static final FloatVector P1 = Species.of(-0.0664903011f);
  private static final FloatVector P2 = Species.of(0.00997259864f);
  private static final FloatVector P3 = Species.of(-0.0011824718f);
  private static final FloatVector P4 = Species.of(0.000104445864f);

  private static final FloatVector ROOT = Species.of(1.5f);
  private static final FloatVector POLE = Species.of(3.5f);
  private static final FloatVector V0 = Species.of(0.308671001f);
  private static final FloatVector V1 = Species.of(0.351868723f);
  private static final FloatVector V2 = Species.of(-0.585405533f);
  private static final FloatVector V3 = Species.of(0.532495446f);
  private static final FloatVector V4 = Species.of(-0.251602486f);
  private static final FloatVector V5 = Species.of(0.014169357f);
  private static final FloatVector V6 = Species.of(0.041625734f);
  private static final FloatVector V7 = Species.of(-0.00586327369f);
  private static final FloatVector V8 = Species.of(-0.0115526181f);
  private static final FloatVector V9 = Species.of(0.00454438158f);

  private static final FloatVector HALF_LOG2_E = Species.of(0x1.715476p-1f);
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final FloatVector LN2_HIGH = Species.of(-0x1.62e3p-1f);
  private static final FloatVector LN2_LOW = Species.of(-0x1.2fefa2p-17f);
  // Adding it rounds to an integer, which then stands in the low bits, 64 larger.
  private static final FloatVector ROUNDER = Species.of(0x1.8p23f + 64);
  private static final FloatVector DOWN_BY_64 = Species.of(0x1p-64f);
  private static final FloatVector E1 = Species.of(0.499999934f);
  private static final FloatVector E2 = Species.of(0.166665201f);
  private static final FloatVector E3 = Species.of(0.0416683954f);
  private static final FloatVector E4 = Species.of(0.00836878141f);
  private static final FloatVector E5 = Species.of(0.00138144168f);

  private FloatGelu() {}

  static void apply(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = gelu(FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER));
      y.intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void apply(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      gelu(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  private static FloatVector gelu(FloatVector x) {
    // Bits of numbers that are not negative have the order of the numbers, and NaN is large.
    IntVector size = x.reinterpretAsInts().lanewise(AND, SIZE).lanewise(MIN, LARGE);
    FloatVector t = size.reinterpretAsFloats();
    FloatVector minusT = size.lanewise(OR, SIGN).reinterpretAsFloats();
    FloatVector tail = tail(t, t.mul(minusT), v(t));
    // x F(x) is x - tail where x is positive, or NaN.
    FloatVector far = x.blend(MINUS_ZERO, x.compare(LT, 0f)).sub(tail);
    FloatVector z = t.mul(t);
    FloatVector p = P4.fma(z, P3).fma(z, P2).fma(z, P1).fma(z, P0);
    return far.blend(p.fma(x, HALF).mul(x), t.compare(LT, NEAR));
  }

  private static FloatVector v(FloatVector t) {
    FloatVector u = t.sub(ROOT).div(t.add(POLE));
    FloatVector v = V9.fma(u, V8).fma(u, V7).fma(u, V6).fma(u, V5).fma(u, V4);
    return v.fma(u, V3).fma(u, V2).fma(u, V1).fma(u, V0);
  }

  /**
   * {@code exp(-t^2 / 2) v}. What was rounded off the square is made good, since it would count
   * many times over. A power of two is split off the exponential; of the rest {@code r}, at most
   * ln(2)/2, {@code exp(r) - 1} is computed.
   */
  private static FloatVector tail(FloatVector t, FloatVector minusSquare, FloatVector v) {
    FloatVector rounded = minusSquare.fma(HALF_LOG2_E, ROUNDER);
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector low = t.fma(t, minusSquare).fma(MINUS_HALF, n.mul(LN2_LOW));
    FloatVector r = n.fma(LN2_HIGH, minusSquare.mul(HALF)).add(low);
    FloatVector p = E5.fma(r, E4).fma(r, E3).fma(r, E2).fma(r, E1);
    FloatVector y = p.mul(r).fma(r, r).fma(v, v);
    // In two steps, because the power may be below those of normal numbers.
    IntVector power = rounded.reinterpretAsInts().lanewise(LSHL, 23);
    return y.reinterpretAsInts().add(power).reinterpretAsFloats().mul(DOWN_BY_64);
  }
}
