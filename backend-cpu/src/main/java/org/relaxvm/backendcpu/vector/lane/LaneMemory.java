package org.relaxvm.backendcpu.vector.lane;

import static jdk.incubator.vector.VectorOperators.AND;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.NE;
import static jdk.incubator.vector.VectorOperators.OR;

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

  /** Exponents are larger by 112 in float32, and infinity has the largest one. */
  static FloatVector ofFloat16(IntVector bits) {
    IntVector size = bits.lanewise(AND, 0x7FFF).lanewise(LSHL, 13);
    IntVector value = size.reinterpretAsFloats().mul(0x1p112f).reinterpretAsInts();
    value = value.blend(value.lanewise(OR, 0x7F80_0000), size.compare(GE, 0x7C00 << 13));
    return value.lanewise(OR, sign(bits)).reinterpretAsFloats();
  }

  private static IntVector sign(IntVector bits) {
    return bits.lanewise(AND, 0x8000).lanewise(LSHL, 16);
  }

  static FloatVector ofBfloat16(IntVector bits) {
    return bits.lanewise(LSHL, 16).reinterpretAsFloats();
  }

  static IntVector toFloat16(FloatVector value) {
    IntVector bits = value.reinterpretAsInts();
    FloatVector size = bits.lanewise(AND, 0x7FFF_FFFF).reinterpretAsFloats();
    IntVector half = size.mul(0x1p-112f).reinterpretAsInts().lanewise(LSHR, 13);
    half = half.blend(0x7C00, size.compare(EQ, Float.POSITIVE_INFINITY).cast(half.species()));
    half = half.blend(0x7E00, isNan(value));
    return half.lanewise(OR, bits.lanewise(AND, 0x8000_0000).lanewise(LSHR, 16));
  }

  /** What makes it a NaN may be among the bits that are cut off. */
  static IntVector toBfloat16(FloatVector value) {
    IntVector bits = value.reinterpretAsInts().lanewise(LSHR, 16);
    return bits.blend(bits.lanewise(OR, 0x40), isNan(value));
  }

  private static VectorMask<Integer> isNan(FloatVector value) {
    return value.compare(NE, value).cast(Lanes.ints(value.length()));
  }
}
