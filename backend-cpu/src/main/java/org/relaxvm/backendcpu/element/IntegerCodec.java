package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Integers of 8 to 64 bits in {@code long[]}; uint64 as its bits. */
final class IntegerCodec extends Codec<long[]> {
  private final int bytes;
  private final boolean signed;
  private final long mask;

  IntegerCodec(int bytes, boolean signed) {
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
    return signed || bytes < Long.BYTES ? LongLanes.SIGNED : LongLanes.UNSIGNED;
  }

  @Override
  public int bytes() {
    return bytes;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, long[] into, int from, int to) {
    if (bytes == Long.BYTES && step == Long.BYTES) {
      MemorySegment.copy(memory, JAVA_LONG_UNALIGNED, at, into, from, to - from);
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

  @Override
  public void store(long[] values, int from, int to, MemorySegment memory, long at, long step) {
    if (bytes == Long.BYTES && step == Long.BYTES) {
      MemorySegment.copy(values, from, memory, JAVA_LONG_UNALIGNED, at, to - from);
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
