package org.relaxvm.api.io;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Converts big-endian numbers to little-endian ones in place. */
final class ByteSwap {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ByteSwap() {}

  /**
   * Reverses the bytes of each number.
   *
   * @param unit bytes of a number: 2, 4 or 8
   */
  static void inPlace(MemorySegment memory, int unit) {
    long end = memory.byteSize();
    switch (unit) {
      case 2 -> {
        for (long at = 0; at < end; at += 2) {
          memory.set(SHORT, at, Short.reverseBytes(memory.get(SHORT, at)));
        }
      }
      case 4 -> {
        for (long at = 0; at < end; at += 4) {
          memory.set(INT, at, Integer.reverseBytes(memory.get(INT, at)));
        }
      }
      case 8 -> {
        for (long at = 0; at < end; at += 8) {
          memory.set(LONG, at, Long.reverseBytes(memory.get(LONG, at)));
        }
      }
      default -> throw new IllegalArgumentException("no number has " + unit + " bytes");
    }
  }
}
