package org.relaxvm.interoprelay.release.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Bytes of an executable of the Relay VM, written field by field as the specification says. */
public final class RawFile {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A file that begins with the magic and a version. */
  static RawFile ofVersion(String version) {
    return new RawFile().u64(0xD225DE2F4214151DL).string(version);
  }

  RawFile u64(long value) {
    for (int i = 0; i < 8; i++) {
      out.write((int) (value >>> (8 * i)));
    }
    return this;
  }

  RawFile i32(int value) {
    for (int i = 0; i < 4; i++) {
      out.write(value >>> (8 * i));
    }
    return this;
  }

  RawFile string(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    u64(bytes.length);
    out.writeBytes(bytes);
    return this;
  }

  RawFile strings(String... texts) {
    u64(texts.length);
    for (String text : texts) {
      string(text);
    }
    return this;
  }

  RawFile longs(long... values) {
    u64(values.length);
    for (long value : values) {
      u64(value);
    }
    return this;
  }

  /** A tensor of one row of elements; {@code data} holds its bytes. */
  RawFile tensor(int code, int bits, long extent, int... data) {
    u64(0xDD5E40F096B4A13FL).u64(0).i32(1).i32(0).i32(1);
    out.write(code);
    out.write(bits);
    out.write(1);
    out.write(0);
    u64(extent).u64(data.length);
    for (int b : data) {
      out.write(b);
    }
    return this;
  }

  /** An instruction: opcode and fields. */
  RawFile code(long... opcodeAndFields) {
    return hashed(hash(opcodeAndFields), opcodeAndFields);
  }

  RawFile hashed(long hash, long... opcodeAndFields) {
    u64(opcodeAndFields.length + 1).u64(hash);
    for (long word : opcodeAndFields) {
      u64(word);
    }
    return this;
  }

  static long hash(long... opcodeAndFields) {
    long key = opcodeAndFields[0];
    for (int i = 1; i < opcodeAndFields.length; i++) {
      key = key ^ (opcodeAndFields[i] + 0x9e3779b9L + (key << 6) + (key >>> 2));
    }
    return key;
  }

  int size() {
    return out.size();
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
