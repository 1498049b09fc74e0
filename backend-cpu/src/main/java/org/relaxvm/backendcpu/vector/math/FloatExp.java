package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.MIN;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;
import static jdk.incubator.vector.VectorOperators.UMIN;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The exponential function in float32, and the functions that are made of it. A power of two is
 * split off; the rest {@code r} is at most ln(2)/2: {@code 1 + r (1 + r P(r))}.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How does `exp` treat extreme arguments?"
 */
public final class FloatExp {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private static final FloatVector ZERO = Species.of(0f);
  private static final FloatVector ONE = Species.of(1f);
  private static final FloatVector TWO = Species.of(2f);
  private static final FloatVector INFINITY = Species.of(Float.POSITIVE_INFINITY);
  private static final FloatVector MINUS_TWO = Species.of(-2f);
  private static final IntVector SIZE = Species.of(0x7FFF_FFFF);
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
  // The integer is 64 larger in the low bits.
  private static final FloatVector ROUNDER_UP = Species.of(0x1.8p23f + 64);
  private static final FloatVector UP = Species.of(64f);
  private static final FloatVector DOWN = Species.of(0x1p-64f);
  private static final FloatVector P0 = Species.of(0.499999934f);
  private static final FloatVector P1 = Species.of(0.166665201f);
  private static final FloatVector P2 = Species.of(0.0416683954f);
  private static final FloatVector P3 = Species.of(0.00836878141f);
  private static final FloatVector P4 = Species.of(0.00138144168f);

  // The function of less is 0. As unsigned integers, bits of negative numbers have the order of
  // the numbers' sizes.
  private static final IntVector SIGMOID_SMALLEST = Species.of(Float.floatToRawIntBits(-105f));

  // The function of more is 1.
  private static final IntVector TANH_LARGE = Species.of(Float.floatToRawIntBits(9.5f));
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

  /** {@code exp(x)} where it and its reciprocal are normal numbers. */
  static FloatVector ofNormal(FloatVector x) {
    FloatVector rounded = x.fma(LOG2_E, ROUNDER);
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    FloatVector p = P4.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    IntVector power = rounded.reinterpretAsInts().lanewise(LSHL, 23);
    FloatVector y = p.fma(r, ONE).fma(r, ONE);
    return y.reinterpretAsInts().add(power).reinterpretAsFloats();
  }

  /** The exponential function of a vector. */
  public static FloatVector exp(FloatVector x) {
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

  /**
   * {@code 1 / (1 + exp(-x))}, for negative {@code x} as {@code exp(x) / (1 + exp(x))}. What the
   * sum {@code d} has lost is made good: of {@code y} that is {@code y lost / d}, and there {@code
   * 1 / d = 1 - y}. Positive results have less to lose.
   */
  public static FloatVector sigmoid(FloatVector x) {
    IntVector size = x.reinterpretAsInts().lanewise(OR, SIGN).lanewise(UMIN, SIGMOID_SMALLEST);
    FloatVector e = ofNegative(size.reinterpretAsFloats());
    FloatVector d = e.add(ONE);
    FloatVector lost = e.sub(d.sub(ONE));
    FloatVector y = ONE.blend(e, x.compare(LT, 0f)).div(d);
    y = y.fma(lost.mul(y).sub(lost), y);
    return y.blend(x, x.compare(NE, x));
  }

  /** {@code exp(x)} of numbers from -105 to 0. */
  private static FloatVector ofNegative(FloatVector x) {
    FloatVector rounded = x.fma(LOG2_E, ROUNDER_UP);
    FloatVector n = rounded.sub(ROUNDER_UP);
    FloatVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    FloatVector p = P4.fma(r, P3).fma(r, P2).fma(r, P1).fma(r, P0);
    FloatVector y = p.fma(r, ONE).fma(r, ONE);
    IntVector power = rounded.reinterpretAsInts().lanewise(LSHL, 23);
    return y.reinterpretAsInts().add(power).reinterpretAsFloats().mul(DOWN);
  }

  /** Further out {@code 1 - 2 exp(-2 x) / (1 + exp(-2 x))}. */
  public static FloatVector tanh(FloatVector x) {
    IntVector size = x.reinterpretAsInts().lanewise(AND, SIZE).lanewise(MIN, TANH_LARGE);
    FloatVector t = size.reinterpretAsFloats();
    FloatVector e = ofNormal(t.mul(MINUS_TWO));
    FloatVector far = ONE.sub(e.mul(TWO).div(e.add(ONE)));
    FloatVector z = t.mul(t);
    FloatVector p = T5.fma(z, T4).fma(z, T3).fma(z, T2).fma(z, T1).fma(z, T0);
    FloatVector y = far.blend(p.mul(z).fma(t, t), t.compare(LT, TANH_NEAR));
    IntVector sign = x.reinterpretAsInts().lanewise(AND, SIGN);
    y = y.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
    return y.blend(x, x.compare(NE, x));
  }
}
