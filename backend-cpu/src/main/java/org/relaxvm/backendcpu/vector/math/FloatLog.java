package org.relaxvm.backendcpu.vector.math;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.vector.NativeMemory;
import org.relaxvm.backendcpu.vector.Species;

/** The logarithm in float32. */
public final class FloatLog {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  // ln 2 in two parts; multiples of the first by exponents are exact.
  private static final float LN2_HIGH = 0x1.62e3p-1f;
  private static final float LN2_LOW = 0x1.2fefa2p-17f;

  private FloatLog() {}

  static void apply(MemorySegment from, long fromAt, MemorySegment out, long outAt, int whole) {
    NativeMemory.require(from, out);
    for (int i = 0; i < whole; i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector y = log(FloatVector.fromMemorySegment(SPECIES, from, fromAt + at, ORDER));
      y.intoMemorySegment(out, outAt + at, ORDER);
    }
  }

  static void apply(float[] a, int whole) {
    for (int i = 0; i < whole; i += LANES) {
      log(FloatVector.fromArray(SPECIES, a, i)).intoArray(a, i);
    }
  }

  /**
   * With {@code x = 2^k (1 + f)}, {@code 1 + f} between the roots of 1/2 and 2, and {@code s = f /
   * (2 + f)}: {@code log(1 + f) = 2 s + s z P(z)}, {@code z = s^2}.
   */
  public static FloatVector log(FloatVector x) {
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
}
