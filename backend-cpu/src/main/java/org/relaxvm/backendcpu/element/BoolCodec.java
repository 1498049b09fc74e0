package org.relaxvm.backendcpu.element;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Booleans of one byte as 0 and 1 in {@code long[]}. */
final class BoolCodec extends Codec<long[]> {
  private static final IntegerCodec BYTES = new IntegerCodec(1, true);
  // Elements that are brought to 0 and 1 at once.
  private static final int BLOCK = 128;

  @Override
  public Lanes<long[]> lanes() {
    return LongLanes.SIGNED;
  }

  @Override
  public int bytes() {
    return 1;
  }

  @Override
  public void load(MemorySegment memory, long at, long step, long[] into, int from, int to) {
    BYTES.load(memory, at, step, into, from, to);
    for (int i = from; i < to; i++) {
      into[i] = (into[i] | -into[i]) >>> (Long.SIZE - 1);
    }
  }

  @Override
  public void store(long[] values, int from, int to, MemorySegment memory, long at, long step) {
    long[] block = new long[Math.min(BLOCK, to - from)];
    for (int start = from; start < to; start += block.length) {
      int count = Math.min(block.length, to - start);
      for (int i = 0; i < count; i++) {
        long value = values[start + i];
        block[i] = (value | -value) >>> (Long.SIZE - 1);
      }
      BYTES.store(block, 0, count, memory, at + (start - from) * step, step);
    }
  }

  @Override
  public void fillLowest(long[] into, int from, int to) {
    Arrays.fill(into, from, to, 0);
  }

  @Override
  public void fillHighest(long[] into, int from, int to) {
    Arrays.fill(into, from, to, 1);
  }
}
