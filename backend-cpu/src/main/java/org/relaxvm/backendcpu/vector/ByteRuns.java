package org.relaxvm.backendcpu.vector;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Reads integers of 8 bits as floats. */
public final class ByteRuns {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final VectorSpecies<Float> FLOATS = Species.FLOAT;
  private static final int LANES = FLOATS.length();

  /** A quarter of the width of the floats; where that is no vector, its bytes are read singly. */
  private static final VectorSpecies<Byte> BYTES =
      LANES == 16 ? ByteVector.SPECIES_128 : ByteVector.SPECIES_64;

  private ByteRuns() {}

  /**
   * Reads some integers.
   *
   * @param at place of the first, in bytes
   * @param step from one to the next, in bytes
   */
  public static void load(
      MemorySegment memory, long at, long step, boolean signed, float[] into, int to, int count) {
    int i = 0;
    if (step == 1 && LANES == BYTES.length()) {
      i =
          signed
              ? loadSigned(memory, at, into, to, count)
              : loadUnsigned(memory, at, into, to, count);
    }
    for (; i < count; i++) {
      byte value = memory.get(JAVA_BYTE, at + i * step);
      into[to + i] = signed ? value : value & 0xff;
    }
  }

  private static int loadSigned(MemorySegment memory, long at, float[] into, int to, int count) {
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      FloatVector values =
          (FloatVector)
              ByteVector.fromMemorySegment(BYTES, memory, at + i, ORDER)
                  .convertShape(VectorOperators.B2F, FLOATS, 0);
      values.intoArray(into, to + i);
    }
    return i;
  }

  private static int loadUnsigned(MemorySegment memory, long at, float[] into, int to, int count) {
    int i = 0;
    for (; i <= count - LANES; i += LANES) {
      FloatVector values =
          (FloatVector)
              ByteVector.fromMemorySegment(BYTES, memory, at + i, ORDER)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, Species.INT, 0)
                  .convertShape(VectorOperators.I2F, FLOATS, 0);
      values.intoArray(into, to + i);
    }
    return i;
  }
}
