package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Integers of 8 to 64 bits in {@code long[]}; uint64 as its bits. */
final class IntegerCodec extends Codec<long[]> {
  // Elements that are widened or narrowed at once, by vectors.
  private static final int BLOCK = 128;

  private final int bytes;
  private final boolean signed;
  private final long mask;
  private final Lanes<long[]> lanes;

  /** A codec whose arithmetic is portable. */
  IntegerCodec(int bytes, boolean signed) {
    this(bytes, signed, new FloatLanes());
  }

  /**
   * Creates a codec.
   *
   * @param floats the arithmetic in float32 whose arithmetic modulo 2^64 is used
   */
  IntegerCodec(int bytes, boolean signed, Lanes<float[]> floats) {
    this.lanes = floats.longs(!signed && bytes == Long.BYTES);
    this.bytes = bytes;
    this.signed = signed;
    this.mask = signed ? -1 : -1L >>> (64 - 8 * bytes);
  }

  /** The smallest value. */
  long lowest() {
    return signed ? -1L << (8 * bytes - 1) : 0;
  }

  /** The largest value; for uint64 its bits. */
  long highest() {
    return signed ? ~lowest() : mask;
  }

  boolean isSigned() {
    return signed;
  }

  @Override
  public Lanes<long[]> lanes() {
    return lanes;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, long[] into, int from, int to) {
    if (step == bytes) {
      loadCompact(memory, at, into, from, to);
      return;
    }
    if (step == 0 && to - from > 1) {
      load(memory, at, 0, into, from, from + 1);
      Arrays.fill(into, from, to, into[from]);
      return;
    }
    switch (bytes) {
      case 1 -> {
        for (int i = from; i < to; i++) {
          into[i] = memory.get(JAVA_BYTE, at + (i - from) * step) & mask;
        }
      }
      case 2 -> {
        for (int i = from; i < to; i++) {
          into[i] = memory.get(JAVA_SHORT_UNALIGNED, at + (i - from) * step) & mask;
        }
      }
      case 4 -> {
        for (int i = from; i < to; i++) {
          into[i] = memory.get(JAVA_INT_UNALIGNED, at + (i - from) * step) & mask;
        }
      }
      default -> {
        for (int i = from; i < to; i++) {
          into[i] = memory.get(JAVA_LONG_UNALIGNED, at + (i - from) * step);
        }
      }
    }
  }

  private void loadCompact(MemorySegment memory, long at, long[] into, int from, int to) {
    int most = Math.min(BLOCK, to - from);
    switch (bytes) {
      case 1 -> {
        byte[] block = new byte[most];
        for (int start = from; start < to; start += most) {
          int count = Math.min(most, to - start);
          MemorySegment.copy(memory, JAVA_BYTE, at + start - from, block, 0, count);
          widen(block, into, start, count);
        }
      }
      case 2 -> {
        short[] block = new short[most];
        for (int start = from; start < to; start += most) {
          int count = Math.min(most, to - start);
          long place = at + (long) (start - from) * bytes;
          MemorySegment.copy(memory, JAVA_SHORT_UNALIGNED, place, block, 0, count);
          widen(block, into, start, count);
        }
      }
      case 4 -> {
        int[] block = new int[most];
        for (int start = from; start < to; start += most) {
          int count = Math.min(most, to - start);
          long place = at + (long) (start - from) * bytes;
          MemorySegment.copy(memory, JAVA_INT_UNALIGNED, place, block, 0, count);
          widen(block, into, start, count);
        }
      }
      default -> MemorySegment.copy(memory, JAVA_LONG_UNALIGNED, at, into, from, to - from);
    }
    if (mask != -1) {
      // Behind the loops that widen: in them the JIT compiler would make no vectors.
      for (int i = from; i < to; i++) {
        into[i] &= mask;
      }
    }
  }

  private static void widen(byte[] from, long[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = from[i];
    }
  }

  private static void widen(short[] from, long[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = from[i];
    }
  }

  private static void widen(int[] from, long[] to, int start, int count) {
    for (int i = 0; i < count; i++) {
      to[start + i] = from[i];
    }
  }

  @Override
  public void store(long[] values, int from, int to, MemorySegment memory, long at, long step) {
    if (step == bytes) {
      storeCompact(values, from, to, memory, at);
      return;
    }
    switch (bytes) {
      case 1 -> {
        for (int i = from; i < to; i++) {
          memory.set(JAVA_BYTE, at + (i - from) * step, (byte) values[i]);
        }
      }
      case 2 -> {
        for (int i = from; i < to; i++) {
          memory.set(JAVA_SHORT_UNALIGNED, at + (i - from) * step, (short) values[i]);
        }
      }
      case 4 -> {
        for (int i = from; i < to; i++) {
          memory.set(JAVA_INT_UNALIGNED, at + (i - from) * step, (int) values[i]);
        }
      }
      default -> {
        for (int i = from; i < to; i++) {
          memory.set(JAVA_LONG_UNALIGNED, at + (i - from) * step, values[i]);
        }
      }
    }
  }

  private void storeCompact(long[] values, int from, int to, MemorySegment memory, long at) {
    int most = Math.min(BLOCK, to - from);
    switch (bytes) {
      case 1 -> {
        byte[] block = new byte[most];
        for (int start = from; start < to; start += most) {
          int count = Math.min(most, to - start);
          narrow(values, start, block, count);
          MemorySegment.copy(block, 0, memory, JAVA_BYTE, at + start - from, count);
        }
      }
      case 2 -> {
        short[] block = new short[most];
        for (int start = from; start < to; start += most) {
          int count = Math.min(most, to - start);
          narrow(values, start, block, count);
          long place = at + (long) (start - from) * bytes;
          MemorySegment.copy(block, 0, memory, JAVA_SHORT_UNALIGNED, place, count);
        }
      }
      case 4 -> {
        int[] block = new int[most];
        for (int start = from; start < to; start += most) {
          int count = Math.min(most, to - start);
          narrow(values, start, block, count);
          long place = at + (long) (start - from) * bytes;
          MemorySegment.copy(block, 0, memory, JAVA_INT_UNALIGNED, place, count);
        }
      }
      default -> MemorySegment.copy(values, from, memory, JAVA_LONG_UNALIGNED, at, to - from);
    }
  }

  private static void narrow(long[] from, int start, byte[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (byte) from[start + i];
    }
  }

  private static void narrow(long[] from, int start, short[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (short) from[start + i];
    }
  }

  private static void narrow(long[] from, int start, int[] to, int count) {
    for (int i = 0; i < count; i++) {
      to[i] = (int) from[start + i];
    }
  }

  @Override
  public void wrap(long[] values, int count) {
    int drop = 64 - 8 * bytes;
    for (int i = 0; i < count; i++) {
      values[i] = signed ? values[i] << drop >> drop : values[i] & mask;
    }
  }

  @Override
  public void fillLowest(long[] into, int from, int to) {
    Arrays.fill(into, from, to, lowest());
  }

  @Override
  public void fillHighest(long[] into, int from, int to) {
    Arrays.fill(into, from, to, highest());
  }
}
