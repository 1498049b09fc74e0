package org.relaxvm.rpc.wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.relaxvm.rpc.transport.Link;

/**
 * Writes packets to a link: {@link #begin}, content, {@link #end}. A large payload at the end of a
 * packet is sent from where it is, without a copy.
 *
 * <p>Not thread-safe. Source: docs/spec/rpc-protocol.md, sections 1 and 2.
 */
public final class PacketOutput {
  private static final int FIRST_CAPACITY = 1 << 12;

  /** A buffer that grew beyond this is not kept. */
  private static final int KEPT_CAPACITY = 1 << 20;

  /** Bytes on the Java heap are sent in parts of this size. */
  private static final int HEAP_BYTES = 1 << 18;

  private static final int HEADER_BYTES = Long.BYTES;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Link link;
  private ByteBuffer buffer = allocate(FIRST_CAPACITY);

  /** Writes to a link, which the caller closes. */
  public PacketOutput(Link link) {
    this.link = link;
  }

  private static ByteBuffer allocate(int capacity) {
    return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Begins a packet; one that was begun and not ended is dropped. */
  public void begin(PacketCode code) {
    if (buffer.capacity() > KEPT_CAPACITY) {
      buffer = allocate(FIRST_CAPACITY);
    }
    buffer.clear().putLong(0).putInt(code.code());
  }

  /** Appends 4 bytes. */
  public void putInt(int value) {
    reserve(Integer.BYTES);
    buffer.putInt(value);
  }

  /** Appends 8 bytes. */
  public void putLong(long value) {
    reserve(Long.BYTES);
    buffer.putLong(value);
  }

  /** Appends a byte. */
  public void putByte(int value) {
    reserve(1);
    buffer.put((byte) value);
  }

  /** Appends 2 bytes. */
  public void putShort(int value) {
    reserve(Short.BYTES);
    buffer.putShort((short) value);
  }

  /** Appends a byte string with its length in front of it. */
  public void putBytes(byte[] bytes) {
    putLong(bytes.length);
    reserve(bytes.length);
    buffer.put(bytes);
  }

  /** Appends a text in UTF-8 with its length in front of it. */
  public void putText(String text) {
    putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends the packet. */
  public void end() throws IOException {
    end(MemorySegment.NULL);
  }

  /** Sends the packet with further bytes at its end. */
  public void end(MemorySegment payload) throws IOException {
    long size = payload.byteSize();
    buffer.putLong(0, buffer.position() - HEADER_BYTES + size);
    buffer.flip();
    // The JDK copies what it writes from the heap, all at once.
    long most = payload.isNative() ? Integer.MAX_VALUE : HEAP_BYTES;
    long first = Math.min(size, most);
    link.write(buffer, size == 0 ? NOTHING.duplicate() : payload.asSlice(0, first).asByteBuffer());
    for (long at = first; at < size; at += most) {
      long count = Math.min(size - at, most);
      link.write(NOTHING.duplicate(), payload.asSlice(at, count).asByteBuffer());
    }
  }

  /** Sends bytes outside of a packet, as the handshake does. */
  public void sendBare(byte[] bytes) throws IOException {
    link.write(ByteBuffer.wrap(bytes), NOTHING.duplicate());
  }

  private void reserve(int bytes) {
    if (buffer.remaining() < bytes) {
      long needed = (long) buffer.position() + bytes;
      long capacity = Math.min(Integer.MAX_VALUE - 64L, Math.max(needed, 2L * buffer.capacity()));
      if (capacity < needed) {
        throw new IllegalStateException("a packet of more than 2 GiB without a payload");
      }
      ByteBuffer larger = allocate((int) capacity);
      buffer.flip();
      buffer = larger.put(buffer);
    }
  }
}
