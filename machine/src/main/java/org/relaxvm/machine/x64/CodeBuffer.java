package org.relaxvm.machine.x64;

import java.util.Arrays;

/** Bytes that grow, little-endian. */
final class CodeBuffer {
  private byte[] bytes = new byte[1024];
  private int size;

  int size() {
    return size;
  }

  void put8(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) value;
  }

  void put32(int value) {
    for (int shift = 0; shift < 32; shift += 8) {
      put8(value >>> shift);
    }
  }

  void put64(long value) {
    put32((int) value);
    put32((int) (value >>> 32));
  }

  void putAll(byte[] values) {
    for (byte value : values) {
      put8(value);
    }
  }

  /** Overwrites four bytes. */
  void set32(int position, int value) {
    for (int i = 0; i < 4; i++) {
      bytes[position + i] = (byte) (value >>> (8 * i));
    }
  }

  byte[] copy(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }
}
