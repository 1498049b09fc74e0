package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** float16 and bfloat16 in {@code float[]}. */
final class HalfCodec extends Codec<float[]> {
  private final boolean brain;
  private final Lanes<float[]> lanes;

  HalfCodec(boolean brain, Lanes<float[]> lanes) {
    this.brain = brain;
    this.lanes = lanes;
  }

  /** Rounds to the nearest bfloat16, halves to even. */
  static short toBrain(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    return (short) ((bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16);
  }

  static float fromBrain(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  @Override
  public Lanes<float[]> lanes() {
    return lanes;
  }

  @Override
  public int bytes() {
    return Short.BYTES;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, float[] into, int from, int to) {
    if (brain) {
      for (int i = from; i < to; i++) {
        into[i] = fromBrain(memory.get(JAVA_SHORT_UNALIGNED, at + (i - from) * step));
      }
    } else {
      for (int i = from; i < to; i++) {
        into[i] = Float.float16ToFloat(memory.get(JAVA_SHORT_UNALIGNED, at + (i - from) * step));
      }
    }
  }

  @Override
  public void store(float[] values, int from, int to, MemorySegment memory, long at, long step) {
    if (brain) {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_SHORT_UNALIGNED, at + (i - from) * step, toBrain(values[i]));
      }
    } else {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_SHORT_UNALIGNED, at + (i - from) * step, Float.floatToFloat16(values[i]));
      }
    }
  }

  @Override
  public void fillLowest(float[] into, int from, int to) {
    Arrays.fill(into, from, to, Float.NEGATIVE_INFINITY);
  }

  @Override
  public void fillHighest(float[] into, int from, int to) {
    Arrays.fill(into, from, to, Float.POSITIVE_INFINITY);
  }
}
