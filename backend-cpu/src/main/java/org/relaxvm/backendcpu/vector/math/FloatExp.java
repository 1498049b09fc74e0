package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The exponential function in float32, and the functions that are made of it. A power of two is
 * split off; the rest {@code r} is at most ln(2)/2: {@code 1 + r (1 + r P(r))}.
 */
final class FloatExp {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private static final FloatVector ZERO = Species.of(0f);
  private static final FloatVector ONE = Species.of(1f);
  private static final FloatVector TWO = Species.of(2f);
  private static final FloatVector INFINITY = Species.of(Float.POSITIVE_INFINITY);
  private static final IntVector SIGN = Species.of(0x8000_0000);
  private static final float LARGEST = 88.72284f;
  private static final float SMALLEST = -104f;
  // Results of smaller arguments may be below the normal numbers.
  private static final float SMALLEST_NORMAL = -86f;

  private static final FloatVector LOG2_E = Species.of(0x1.715476p0f);
  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final FloatVector LN2_HIGH = Species.of(-0x1.62e3p-1f);
  private static final FloatVector LN2_LOW = Species.of(-0x1.2fefa2p-17f);
  // Adding it rounds to an integer, which then stands in the low bits.
  private static final FloatVector ROUNDER = Species.of(0x1.8p23f);
  private static final FloatVector UP = Species.of(64f);
  private static final FloatVector DOWN = Species.of(0x1p-64f);
  private static final FloatVector P0 = Species.of(0.499999934f);
  private static final FloatVector P1 = Species.of(0.166665201f);
  private static final FloatVector P2 = Species.of(0.0416683954f);
  private static final FloatVector P3 = Species.of(0.00836878141f);
  private static final FloatVector P4 = Species.of(0.00138144168f);

  // tanh(x) = x + x z T(z), z = x^2, near 0
  private static final float TANH_NEAR = 0.625f;
  private static final FloatVector T0 = Species.of(-0.33333334f);
  private static final FloatVector T1 = Species.of(0.13333304f);
  private static final FloatVector T2 = Species.of(-0.053959258f);
  private static final FloatVector T3 = Species.of(0.021768918f);
  private static final FloatVector T4 = Species.of(-0.008343945f);
  private static final FloatVector T5 = Species.of(0.0022927448f);

  private FloatExp() {}

  static void exp(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector x = FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER);
      FloatVector y = ofNormal(x);
      if (!x.lanewise(ABS).compare(LE, -SMALLEST_NORMAL).allTrue()) {
        y = exp(x);
      }
      y.intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void exp(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      exp(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void sigmoid(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = sigmoid(FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER));
      y.intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void sigmoid(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      sigmoid(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  static void tanh(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = tanh(FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER));
      y.intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void tanh(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      tanh(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** {@code exp(x)} where it and the reciprocal are normal numbers, with the same bits. */
  private static FloatVector ofNormal(FloatVector x) {
    FloatVector rounded = x.fma(LOG2_E, ROUNDER);
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    FloatVector p = P4.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    IntVector power = rounded.reinterpretAsInts().lanewise(LSHL, 23);
    FloatVector y = p.fma(r, ONE).fma(r, ONE);
    return y.reinterpretAsInts().add(power).reinterpretAsFloats();
  }

  private static FloatVector exp(FloatVector x) {
    VectorMask<Float> small = x.compare(LT, SMALLEST_NORMAL);
    FloatVector rounded = x.fma(LOG2_E, ROUNDER);
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    FloatVector p = P4.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    FloatVector y = p.fma(r, ONE).fma(r, ONE);
    // Small powers in two steps, because they may be below those of normal numbers.
    IntVector power = rounded.add(UP, small).reinterpretAsInts().lanewise(LSHL, 23);
    y = y.reinterpretAsInts().add(power).reinterpretAsFloats().mul(DOWN, small);
    y = x.add(INFINITY).blend(y, x.compare(LE, LARGEST));
    return y.blend(ZERO, x.compare(LT, SMALLEST));
  }

  /** {@code exp(x)} of numbers that are not positive. */
  static FloatVector ofNegative(FloatVector x) {
    FloatVector rounded = x.fma(LOG2_E, ROUNDER);
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    FloatVector p = P4.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    FloatVector y = p.fma(r, ONE).fma(r, ONE);
    IntVector power = rounded.add(UP).reinterpretAsInts().lanewise(LSHL, 23);
    y = y.reinterpretAsInts().add(power).reinterpretAsFloats().mul(DOWN);
    return y.blend(ZERO, x.compare(LT, SMALLEST));
  }

  /** {@code 1 / (1 + exp(-x))}, for negative {@code x} as {@code exp(x) / (1 + exp(x))}. */
  private static FloatVector sigmoid(FloatVector x) {
    FloatVector negative = x.reinterpretAsInts().lanewise(OR, SIGN).reinterpretAsFloats();
    FloatVector e = ofNegative(negative);
    FloatVector y = ONE.blend(e, x.compare(LT, 0f)).div(e.add(ONE));
    return y.blend(x, x.compare(NE, x));
  }

  /** Further out {@code 1 - 2 exp(-2 x) / (1 + exp(-2 x))}. */
  private static FloatVector tanh(FloatVector x) {
    FloatVector t = x.lanewise(ABS);
    FloatVector e = ofNegative(t.add(t).neg());
    FloatVector far = ONE.sub(e.mul(TWO).div(e.add(ONE)));
    FloatVector z = t.mul(t);
    FloatVector p = T5.fma(z, T4).fma(z, T3).fma(z, T2).fma(z, T1).fma(z, T0);
    FloatVector y = far.blend(p.mul(z).fma(t, t), t.compare(LT, TANH_NEAR));
    IntVector sign = x.reinterpretAsInts().lanewise(AND, SIGN);
    y = y.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
    return y.blend(x, x.compare(NE, x));
  }
}
