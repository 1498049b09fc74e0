package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** float16 and bfloat16 in {@code float[]}. */
final class HalfCodec extends Codec<float[]> {
  // Elements that are widened or narrowed at once, by vectors where they are contiguous.
  private static final int BLOCK = 128;

  private static final int INFINITY = 0x7F80_0000;

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
    if (step == Short.BYTES) {
      loadCompact(memory, at, into, from, to);
    } else if (brain) {
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
    if (step == Short.BYTES) {
      storeCompact(values, from, to, memory, at);
    } else if (brain) {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_SHORT_UNALIGNED, at + (i - from) * step, toBrain(values[i]));
      }
    } else {
      for (int i = from; i < to; i++) {
        memory.set(JAVA_SHORT_UNALIGNED, at + (i - from) * step, Float.floatToFloat16(values[i]));
      }
    }
  }

  private void loadCompact(MemorySegment memory, long at, float[] into, int from, int to) {
    short[] block = new short[BLOCK];
    for (int start = from; start < to; start += BLOCK) {
      int count = Math.min(BLOCK, to - start);
      long place = at + (long) (start - from) * Short.BYTES;
      MemorySegment.copy(memory, JAVA_SHORT_UNALIGNED, place, block, 0, count);
      if (brain) {
        widenBrain(block, into, start, count);
      } else {
        widen(block, into, start, count);
      }
    }
  }

  private static void widen(short[] from, float[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = Float.float16ToFloat(from[i]);
    }
  }

  private static void widenBrain(short[] from, float[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = fromBrain(from[i]);
    }
  }

  private void storeCompact(float[] values, int from, int to, MemorySegment memory, long at) {
    if (brain) {
      storeBrain(values, from, to, memory, at);
      return;
    }
    short[] block = new short[BLOCK];
    for (int start = from; start < to; start += BLOCK) {
      int count = Math.min(BLOCK, to - start);
      narrow(values, start, block, count);
      long place = at + (long) (start - from) * Short.BYTES;
      MemorySegment.copy(block, 0, memory, JAVA_SHORT_UNALIGNED, place, count);
    }
  }

  /**
   * By way of the bits, which are copied: the JIT compiler makes no vector code of a loop that asks
   * a float for its bits.
   */
  private static void storeBrain(float[] values, int from, int to, MemorySegment memory, long at) {
    MemorySegment bits = MemorySegment.ofArray(values);
    int[] block = new int[BLOCK];
    short[] halves = new short[BLOCK];
    for (int start = from; start < to; start += BLOCK) {
      int count = Math.min(BLOCK, to - start);
      MemorySegment.copy(bits, JAVA_INT, (long) start * Float.BYTES, block, 0, count);
      roundToBrain(block, count);
      IntCodec.narrow(block, 0, halves, count);
      long place = at + (long) (start - from) * Short.BYTES;
      MemorySegment.copy(halves, 0, memory, JAVA_SHORT_UNALIGNED, place, count);
    }
  }

  private static void narrow(float[] from, int start, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = Float.floatToFloat16(from[start + i]);
    }
  }

  /** As {@link #toBrain}, without a branch, from the bits. */
  private static void roundToBrain(int[] floats, int count) {
    for (int i = 0; i < count; i++) {
      int bits = floats[i];
      int rounded = (bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16;
      int quiet = bits >>> 16 | 0x40;
      int nan = (INFINITY - (bits & Integer.MAX_VALUE)) >> (Integer.SIZE - 1);
      floats[i] = rounded ^ ((rounded ^ quiet) & nan);
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
