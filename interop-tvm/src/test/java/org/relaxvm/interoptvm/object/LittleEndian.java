package org.relaxvm.interoptvm.object;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes libraries by hand. */
final class LittleEndian {
  private final ByteBuffer bytes;

  LittleEndian(int size) {
    bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  LittleEndian at(int position) {
    bytes.position(position);
    return this;
  }

  LittleEndian bytes(int... values) {
    for (int value : values) {
      bytes.put((byte) value);
    }
    return this;
  }

  LittleEndian u16(int... values) {
    for (int value : values) {
      bytes.putShort((short) value);
    }
    return this;
  }

  LittleEndian u32(long... values) {
    for (long value : values) {
      bytes.putInt((int) value);
    }
    return this;
  }

  LittleEndian u64(long... values) {
    for (long value : values) {
      bytes.putLong(value);
    }
    return this;
  }

  /** A text in a field of so many bytes, the remainder of which are 0. */
  LittleEndian text(String text, int field) {
    int next = bytes.position() + field;
    bytes.put(text.getBytes(StandardCharsets.US_ASCII));
    return at(next);
  }

  byte[] array() {
    return bytes.array();
  }
}
