package org.relaxvm.vmcore.binary;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Writes little-endian values to a stream, or only counts their bytes. Source:
 * docs/spec/executable-format.md, section 1. Confined to one thread.
 */
public final class ByteSink {
  private static final int CHUNK = 1 << 16;

  private final @Nullable OutputStream out;
  private final byte[] buffer = new byte[CHUNK];
  private final ByteBuffer values = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
  private long written;

  private ByteSink(@Nullable OutputStream out) {
    this.out = out;
  }

  /** A sink that writes to a stream; {@link #flush} must follow. */
  public static ByteSink to(OutputStream out) {
    return new ByteSink(out);
  }

  /** A sink that only counts. */
  public static ByteSink counting() {
    return new ByteSink(null);
  }

  /** The bytes written so far. */
  public long written() {
    return written;
  }

  /** Writes one byte. */
  public void u8(int value) throws IOException {
    room(1);
    values.put((byte) value);
  }

  /** Writes 16 bits. */
  public void u16(int value) throws IOException {
    room(2);
    values.putShort((short) value);
  }

  /** Writes 32 bits. */
  public void i32(int value) throws IOException {
    room(4);
    values.putInt(value);
  }

  /** Writes 64 bits. */
  public void i64(long value) throws IOException {
    room(8);
    values.putLong(value);
  }

  /** Writes the byte length and the bytes of a text in UTF-8. */
  public void string(String text) throws IOException {
    ByteBuffer utf8;
    try {
      utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    } catch (CharacterCodingException e) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the string \"" + text + "\" has half of a surrogate pair and so no UTF-8 form",
          e);
    }
    i64(utf8.remaining());
    segment(MemorySegment.ofBuffer(utf8));
  }

  /** Writes the bytes of a segment. */
  public void segment(MemorySegment bytes) throws IOException {
    flush();
    written += bytes.byteSize();
    if (out == null) {
      return;
    }
    for (long at = 0; at < bytes.byteSize(); at += CHUNK) {
      int length = (int) Math.min(CHUNK, bytes.byteSize() - at);
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, buffer, 0, length);
      out.write(buffer, 0, length);
    }
  }

  /** Hands everything to the stream. */
  public void flush() throws IOException {
    if (out != null) {
      out.write(buffer, 0, values.position());
    }
    values.clear();
  }

  private void room(int bytes) throws IOException {
    if (values.remaining() < bytes) {
      flush();
    }
    written += bytes;
  }
}
