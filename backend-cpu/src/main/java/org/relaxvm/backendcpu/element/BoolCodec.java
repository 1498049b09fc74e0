package org.relaxvm.backendcpu.element;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Truth values of one byte as 0 and 1 in {@code long[]}. */
final class BoolCodec extends Codec<long[]> {
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
    for (int i = from; i < to; i++) {
      into[i] = memory.get(JAVA_BYTE, at + (i - from) * step) != 0 ? 1 : 0;
    }
  }

  @Override
  public void store(long[] values, int from, int to, MemorySegment memory, long at, long step) {
    for (int i = from; i < to; i++) {
      memory.set(JAVA_BYTE, at + (i - from) * step, (byte) (values[i] != 0 ? 1 : 0));
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
