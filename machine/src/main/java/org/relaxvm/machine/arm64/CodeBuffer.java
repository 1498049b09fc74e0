package org.relaxvm.machine.arm64;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Instructions that grow in number. */
final class CodeBuffer {
  private int[] words = new int[256];
  private int count;

  /** Bytes so far. */
  int size() {
    return 4 * count;
  }

  void put(int word) {
    if (count == words.length) {
      words = Arrays.copyOf(words, 2 * count);
    }
    words[count++] = word;
  }

  /** Writes bytes, and zeros up to the next multiple of four. */
  void putAll(byte[] bytes) {
    ByteBuffer padded = ByteBuffer.allocate((bytes.length + 3) / 4 * 4).put(bytes).rewind();
    padded.order(ByteOrder.LITTLE_ENDIAN);
    while (padded.hasRemaining()) {
      put(padded.getInt());
    }
  }

  /** The instruction at an offset in bytes. */
  int at(int offset) {
    return words[offset / 4];
  }

  /** Sets bits of the instruction at an offset in bytes. */
  void set(int offset, int bits) {
    words[offset / 4] |= bits;
  }

  /** All bytes, little-endian. */
  byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(size()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(words, 0, count);
    return bytes.array();
  }
}
