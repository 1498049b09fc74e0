package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.MIN;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/**
 * The error function in float32: {@code x + x P(x^2)} below 1, above {@code 1 - exp(Q(x))}, which
 * is 1 from 4 on.
 */
public final class FloatErf {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  private static final FloatVector ONE = Species.of(1f);
  private static final IntVector SIGN = Species.of(0x8000_0000);
  private static final IntVector SIZE = Species.of(0x7FFF_FFFF);
  private static final IntVector LARGE = Species.of(Float.floatToRawIntBits(4f));
  private static final FloatVector P0 = Species.of(0.128379166f);
  private static final FloatVector P1 = Species.of(-0.376126271f);
  private static final FloatVector P2 = Species.of(0.112835993f);
  private static final FloatVector P3 = Species.of(-0.0268544022f);
  private static final FloatVector P4 = Species.of(0.00518944406f);
  private static final FloatVector P5 = Species.of(-0.000801994523f);
  private static final FloatVector P6 = Species.of(7.88585122e-5f);
  private static final FloatVector Q0 = Species.of(-0.000332727572f);
  private static final FloatVector Q1 = Species.of(-1.12712233f);
  private static final FloatVector Q2 = Species.of(-0.638093853f);
  private static final FloatVector Q3 = Species.of(-0.103147706f);
  private static final FloatVector Q4 = Species.of(0.0218561801f);
  private static final FloatVector Q5 = Species.of(-0.00295184244f);
  private static final FloatVector Q6 = Species.of(0.000186773355f);

  private FloatErf() {}

  static void apply(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = erf(FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER));
      y.intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void apply(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      erf(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /** The error function of a vector. */
  public static FloatVector erf(FloatVector x) {
    // Bits of numbers that are not negative have the order of the numbers, and NaN is large.
    IntVector size = x.reinterpretAsInts().lanewise(AND, SIZE).lanewise(MIN, LARGE);
    FloatVector t = size.reinterpretAsFloats();
    FloatVector q = Q6.fma(t, Q5).fma(t, Q4).fma(t, Q3).fma(t, Q2).fma(t, Q1).fma(t, Q0);
    FloatVector far = ONE.sub(FloatExp.ofNormal(q));
    FloatVector z = t.mul(t);
    FloatVector p = P6.fma(z, P5).fma(z, P4).fma(z, P3).fma(z, P2).fma(z, P1).fma(z, P0);
    FloatVector y = far.blend(p.fma(t, t), t.compare(LT, 1f));
    IntVector sign = x.reinterpretAsInts().lanewise(AND, SIGN);
    y = y.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
    return y.blend(x, x.compare(NE, x));
  }
}
