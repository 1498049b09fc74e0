package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/**
 * Rounds float32 to narrower floats: to the nearest, ties to even. What is too large becomes
 * infinite, NaN stays NaN, 0 keeps its sign.
 */
public final class FloatLaneRounding {
  // More than what becomes infinite.
  private static final int TOO_LARGE = Float.floatToRawIntBits(0x1p17f);
  private static final int MIN_NORMAL = Float.floatToRawIntBits(0x1p-14f);

  private FloatLaneRounding() {}

  /** The nearest float16: a power of two 13 bits above is added, which rounds to the last bit. */
  public static FloatVector roundFloat16(FloatVector a) {
    // Bits of numbers that are not negative have the order of the numbers.
    IntVector bits = a.reinterpretAsInts().lanewise(AND, 0x7FFF_FFFF).min(TOO_LARGE);
    IntVector power = bits.lanewise(AND, 0x7F80_0000).max(MIN_NORMAL);
    FloatVector rounder = power.add(13 << 23).reinterpretAsFloats();
    FloatVector near = bits.reinterpretAsFloats().add(rounder).sub(rounder);
    return finished(near.blend(Float.POSITIVE_INFINITY, near.compare(GT, 65504)), a);
  }

  /** The nearest bfloat16, which has the upper bits of float32. */
  public static FloatVector roundBfloat16(FloatVector a) {
    IntVector bits = a.reinterpretAsInts();
    IntVector odd = bits.lanewise(LSHR, 16).lanewise(AND, 1);
    FloatVector near = bits.add(odd).add(0x7FFF).lanewise(AND, -0x1_0000).reinterpretAsFloats();
    return near.blend(a, a.compare(NE, a));
  }

  /** With the sign of {@code a}, and its NaN. */
  private static FloatVector finished(FloatVector near, FloatVector a) {
    IntVector sign = a.reinterpretAsInts().lanewise(AND, 0x8000_0000);
    FloatVector signed = near.reinterpretAsInts().lanewise(OR, sign).reinterpretAsFloats();
    return signed.blend(a, a.compare(NE, a));
  }
}
