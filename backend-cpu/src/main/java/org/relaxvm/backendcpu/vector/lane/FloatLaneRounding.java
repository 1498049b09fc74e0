package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/**
 * Rounds float32 to narrower floats: to the nearest, ties to even. What is too large becomes
 * infinite, NaN stays NaN, 0 keeps its sign.
 */
public final class FloatLaneRounding {
  // Constant vectors of both widths: a scalar costs the JIT compiler twice as much.
  // From here on infinity is nearer, or even.
  private static final FloatVector LIMIT = LaneConstants.broadcast(65520f);
  private static final FloatVector HALF_LIMIT = LaneConstants.broadcastHalf(65520f);
  private static final FloatVector INFINITY = LaneConstants.broadcast(Float.POSITIVE_INFINITY);
  private static final FloatVector HALF_INFINITY =
      LaneConstants.broadcastHalf(Float.POSITIVE_INFINITY);
  private static final IntVector EXPONENT = LaneConstants.broadcast(0x7F80_0000);
  private static final IntVector HALF_EXPONENT = LaneConstants.broadcastHalf(0x7F80_0000);
  // The bits of 2^-14.
  private static final IntVector MIN_NORMAL = LaneConstants.broadcast((127 - 14) << 23);
  private static final IntVector HALF_MIN_NORMAL = LaneConstants.broadcastHalf((127 - 14) << 23);
  private static final IntVector ABOVE = LaneConstants.broadcast(13 << 23);
  private static final IntVector HALF_ABOVE = LaneConstants.broadcastHalf(13 << 23);
  private static final IntVector SIGN = LaneConstants.broadcast(0x8000_0000);
  private static final IntVector HALF_SIGN = LaneConstants.broadcastHalf(0x8000_0000);
  private static final IntVector ONE = LaneConstants.broadcast(1);
  private static final IntVector HALF_ONE = LaneConstants.broadcastHalf(1);
  private static final IntVector LESS_THAN_HALF = LaneConstants.broadcast(0x7FFF);
  private static final IntVector HALF_LESS_THAN_HALF = LaneConstants.broadcastHalf(0x7FFF);
  private static final IntVector UPPER = LaneConstants.broadcast(-0x1_0000);
  private static final IntVector HALF_UPPER = LaneConstants.broadcastHalf(-0x1_0000);

  private FloatLaneRounding() {}

  /** The nearest float16: a power of two 13 bits above is added, which rounds to the last bit. */
  public static FloatVector roundFloat16(FloatVector a) {
    boolean full = a.length() == Lanes.FULL;
    FloatVector size = a.lanewise(ABS);
    FloatVector rounder = rounder(size, full);
    FloatVector near = size.add(rounder).sub(rounder);
    near = near.blend(full ? INFINITY : HALF_INFINITY, size.compare(GE, full ? LIMIT : HALF_LIMIT));
    return signed(near, a, full ? SIGN : HALF_SIGN);
  }

  private static FloatVector rounder(FloatVector size, boolean full) {
    IntVector power = size.reinterpretAsInts().and(full ? EXPONENT : HALF_EXPONENT);
    power = power.max(full ? MIN_NORMAL : HALF_MIN_NORMAL);
    return power.add(full ? ABOVE : HALF_ABOVE).reinterpretAsFloats();
  }

  /** The nearest bfloat16, which has the upper bits of float32. */
  public static FloatVector roundBfloat16(FloatVector a) {
    boolean full = a.length() == Lanes.FULL;
    IntVector bits = a.reinterpretAsInts();
    IntVector odd = bits.lanewise(LSHR, 16).and(full ? ONE : HALF_ONE);
    bits = bits.add(odd).add(full ? LESS_THAN_HALF : HALF_LESS_THAN_HALF);
    bits = bits.and(full ? UPPER : HALF_UPPER);
    return bits.reinterpretAsFloats().blend(a, a.compare(NE, a));
  }

  private static FloatVector signed(FloatVector size, FloatVector a, IntVector signs) {
    IntVector sign = a.reinterpretAsInts().and(signs);
    return size.reinterpretAsInts().or(sign).reinterpretAsFloats();
  }
}
