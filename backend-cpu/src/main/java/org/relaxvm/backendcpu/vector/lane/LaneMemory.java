package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.ABS;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of elements in memory, aligned or not. {@link FullLoads}, {@link FullStores}, {@link
 * HalfLoads} and {@link HalfStores} access all lanes, and throw {@code IndexOutOfBoundsException}
 * where the segment has less; the masked ones never access what is not active.
 */
public final class LaneMemory {
  static final ByteOrder ORDER = ByteOrder.nativeOrder();
  static final VectorSpecies<Byte> BYTE =
      VectorSpecies.of(byte.class, Lanes.shape(Byte.SIZE * Lanes.FULL));
  static final VectorSpecies<Short> SHORT =
      VectorSpecies.of(short.class, Lanes.shape(Short.SIZE * Lanes.FULL));
  static final VectorSpecies<Byte> HALF_BYTE =
      VectorSpecies.of(byte.class, Lanes.shape(Byte.SIZE * Lanes.DOUBLE.length()));
  static final VectorSpecies<Short> HALF_SHORT =
      VectorSpecies.of(short.class, Lanes.shape(Short.SIZE * Lanes.DOUBLE.length()));

  // Constant vectors of both widths: a scalar costs the JIT compiler twice as much.
  private static final IntVector SIGN_AND_SIZE = LaneConstants.broadcast(0x8FFF_E000);
  private static final IntVector HALF_SIGN_AND_SIZE = LaneConstants.broadcastHalf(0x8FFF_E000);
  private static final FloatVector SCALE = LaneConstants.broadcast(0x1p112f);
  private static final FloatVector HALF_SCALE = LaneConstants.broadcastHalf(0x1p112f);
  private static final FloatVector UNSCALE = LaneConstants.broadcast(0x1p-112f);
  private static final FloatVector HALF_UNSCALE = LaneConstants.broadcastHalf(0x1p-112f);
  private static final FloatVector INFINITY = LaneConstants.broadcast(Float.POSITIVE_INFINITY);
  private static final FloatVector HALF_INFINITY =
      LaneConstants.broadcastHalf(Float.POSITIVE_INFINITY);
  private static final FloatVector LIMIT = LaneConstants.broadcast(65536f);
  private static final FloatVector HALF_LIMIT = LaneConstants.broadcastHalf(65536f);
  private static final IntVector INFINITE = LaneConstants.broadcast(0x7C00);
  private static final IntVector HALF_INFINITE = LaneConstants.broadcastHalf(0x7C00);
  private static final IntVector NAN = LaneConstants.broadcast(0x7E00);
  private static final IntVector HALF_NAN = LaneConstants.broadcastHalf(0x7E00);
  private static final IntVector SIGN = LaneConstants.broadcast(0x8000);
  private static final IntVector HALF_SIGN = LaneConstants.broadcastHalf(0x8000);
  private static final IntVector QUIET = LaneConstants.broadcast(0x40);
  private static final IntVector HALF_QUIET = LaneConstants.broadcastHalf(0x40);

  private LaneMemory() {}

  /**
   * Whether this machine has the vectors that a method for memory needs: there are none of less
   * than 64 bits. A method that does not exist must not be called.
   *
   * @param name of the method, such as {@code loadInt8Half}
   */
  public static boolean exists(String name) {
    boolean half = name.endsWith("Half");
    int lanes = half ? Lanes.DOUBLE.length() : Lanes.FULL;
    if (name.contains("nt8") || name.contains("Bool")) {
      return (half ? HALF_BYTE : BYTE).length() == lanes;
    }
    return !name.contains("16") || (half ? HALF_SHORT : SHORT).length() == lanes;
  }

  /**
   * float16 of its bits as int16. Exponents are larger by 112 in float32, and infinity has the
   * largest one.
   */
  static FloatVector ofFloat16(IntVector bits) {
    boolean full = bits.length() == Lanes.FULL;
    IntVector shifted = bits.lanewise(LSHL, 13).and(full ? SIGN_AND_SIZE : HALF_SIGN_AND_SIZE);
    FloatVector value = shifted.reinterpretAsFloats().mul(full ? SCALE : HALF_SCALE);
    FloatVector infinity = full ? INFINITY : HALF_INFINITY;
    return value.blend(largest(value, infinity), isLarge(value, full ? LIMIT : HALF_LIMIT));
  }

  private static VectorMask<Float> isLarge(FloatVector value, FloatVector limit) {
    return value.lanewise(ABS).compare(GE, limit);
  }

  /** With all bits of the exponent. */
  private static FloatVector largest(FloatVector value, FloatVector infinity) {
    return value.reinterpretAsInts().or(infinity.reinterpretAsInts()).reinterpretAsFloats();
  }

  static FloatVector ofBfloat16(IntVector bits) {
    return bits.lanewise(LSHL, 16).reinterpretAsFloats();
  }

  static IntVector toFloat16(FloatVector value) {
    boolean full = value.length() == Lanes.FULL;
    FloatVector size = value.lanewise(ABS);
    IntVector half = size.mul(full ? UNSCALE : HALF_UNSCALE).reinterpretAsInts();
    // Infinity stays so by the product, and NaN.
    half = half.lanewise(LSHR, 13).min(full ? INFINITE : HALF_INFINITE);
    half = half.blend(full ? NAN : HALF_NAN, isNan(value));
    IntVector sign = value.reinterpretAsInts().lanewise(LSHR, 16);
    return half.or(sign.and(full ? SIGN : HALF_SIGN));
  }

  /** What makes it a NaN may be among the bits that are cut off. */
  static IntVector toBfloat16(FloatVector value) {
    IntVector bits = value.reinterpretAsInts().lanewise(LSHR, 16);
    IntVector quiet = value.length() == Lanes.FULL ? QUIET : HALF_QUIET;
    return bits.blend(bits.or(quiet), isNan(value));
  }

  private static VectorMask<Integer> isNan(FloatVector value) {
    return value.compare(NE, value).cast(Lanes.ints(value.length()));
  }
}
