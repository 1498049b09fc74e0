package org.relaxvm.rpc.wire;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.relaxvm.rpc.transport.Link;

/**
 * Reads packets from a link. Small content is buffered; {@link #readInto} of large content reads
 * from the link into the target without a copy.
 *
 * <p>A read beyond the end of the packet is a {@link WireException}; the connection stays in step,
 * since {@link #next} skips what is left. Not thread-safe.
 *
 * <p>Source: docs/spec/rpc-protocol.md, sections 1 and 2.
 */
public final class PacketInput {
  private static final int BUFFER_BYTES = 1 << 16;

  /** A target of at least this size is filled from the link directly. */
  private static final int DIRECT_BYTES = 1 << 14;

  private static final int CODE_BYTES = Integer.BYTES;

  /** A byte string gets this much memory before it comes, and then so many times what came. */
  private static final int FIRST_BYTES = 1 << 16;

  private static final int GROWTH = 8;

  private final Link link;
  private final WireLimits limits;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private long remaining;
  private int code;

  /** Reads from a link, which the caller closes. */
  public PacketInput(Link link, WireLimits limits) {
    this.link = link;
    this.limits = limits;
  }

  /** The limits that apply. */
  public WireLimits limits() {
    return limits;
  }

  // ---------------------------------------------------------------- packets

  /**
   * Goes to the next packet. What is left of the current one is skipped; packets of length 0 are.
   *
   * @return false when the peer closed the connection between two packets
   * @throws WireException for a packet that is too large or has no room for a code; the connection
   *     is of no use then
   */
  public boolean next() throws IOException {
    skip(remaining);
    long length = 0;
    while (length == 0) {
      if (!buffer.hasRemaining() && !fill()) {
        return false;
      }
      require(Long.BYTES);
      length = buffer.getLong();
    }
    if (length < 0 || length > limits.packetBytes()) {
      throw new WireException(
          "a packet of "
              + Long.toUnsignedString(length)
              + " bytes; at most "
              + limits.packetBytes()
              + " are allowed");
    }
    if (length < CODE_BYTES) {
      remaining = length;
      throw new WireException("a packet of " + length + " bytes, which has no room for a code");
    }
    remaining = length;
    code = readInt();
    return true;
  }

  /** The number of the packet's kind, which {@link PacketCode} may not know. */
  public int code() {
    return code;
  }

  /** The bytes of the packet that are not read yet. */
  public long remaining() {
    return remaining;
  }

  // ---------------------------------------------------------------- content

  /** The next 4 bytes as an integer. */
  public int readInt() throws IOException {
    take(Integer.BYTES);
    return buffer.getInt();
  }

  /** The next 8 bytes as an integer. */
  public long readLong() throws IOException {
    take(Long.BYTES);
    return buffer.getLong();
  }

  /** The next byte, unsigned. */
  public int readByte() throws IOException {
    take(1);
    return buffer.get() & 0xFF;
  }

  /** The next 2 bytes, signed. */
  public short readShort() throws IOException {
    take(Short.BYTES);
    return buffer.getShort();
  }

  /** A byte string with its length in front of it. */
  public byte[] readBytes() throws IOException {
    long length = readLength();
    if (length > limits.valueBytes()) {
      throw new WireException(
          "a value of " + length + " bytes; at most " + limits.valueBytes() + " are allowed");
    }
    return content((int) length);
  }

  /**
   * The length in front of content, which is in the packet.
   *
   * @throws WireException when the packet is shorter
   */
  public long readLength() throws IOException {
    long length = readLong();
    if (length < 0) {
      throw new WireException("content of " + Long.toUnsignedString(length) + " bytes");
    }
    checkRemaining(length);
    return length;
  }

  /** Memory follows the bytes that came: a length alone takes little. */
  private byte[] content(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, FIRST_BYTES)];
    int at = 0;
    while (at < length) {
      if (at == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, (long) at * GROWTH));
      }
      if (!buffer.hasRemaining()) {
        require(1);
      }
      int count = Math.min(buffer.remaining(), bytes.length - at);
      buffer.get(bytes, at, count);
      at += count;
      remaining -= count;
    }
    return bytes;
  }

  /** A text with its length in front of it; what is no UTF-8 is replaced. */
  public String readText() throws IOException {
    return new String(readBytes(), StandardCharsets.UTF_8);
  }

  /** Fills a segment with the next bytes of the packet. */
  public void readInto(MemorySegment target) throws IOException {
    long length = target.byteSize();
    checkRemaining(length);
    long at = 0;
    while (at < length) {
      long left = length - at;
      if (!buffer.hasRemaining() && left >= DIRECT_BYTES) {
        long room = Math.min(left, target.isNative() ? Integer.MAX_VALUE : BUFFER_BYTES);
        int count = readDirectly(target.asSlice(at, room).asByteBuffer());
        at += count;
        remaining -= count;
      } else {
        if (!buffer.hasRemaining()) {
          require(1);
        }
        int count = (int) Math.min(buffer.remaining(), left);
        MemorySegment from = MemorySegment.ofBuffer(buffer).asSlice(0, count);
        MemorySegment.copy(from, 0, target, at, count);
        buffer.position(buffer.position() + count);
        at += count;
        remaining -= count;
      }
    }
  }

  private int readDirectly(ByteBuffer target) throws IOException {
    int count = link.read(target);
    if (count < 0) {
      throw ended();
    }
    return count;
  }

  /** Skips what is left of the packet. */
  public void skipRest() throws IOException {
    skip(remaining);
  }

  private void skip(long count) throws IOException {
    long left = count;
    while (left > 0) {
      if (!buffer.hasRemaining()) {
        require(1);
      }
      int step = (int) Math.min(buffer.remaining(), left);
      buffer.position(buffer.position() + step);
      left -= step;
      remaining -= step;
    }
  }

  // ---------------------------------------------------------------- bytes outside of packets

  /** An integer in front of the first packet, as the handshake has it. */
  public int readBareInt() throws IOException {
    require(Integer.BYTES);
    return buffer.getInt();
  }

  /** Bytes in front of the first packet. */
  public byte[] readBareBytes(int length) throws IOException {
    remaining = length;
    return content(length);
  }

  /** Whether bytes come without a wait, or could be asked for; false at the end of the stream. */
  public boolean awaitBytes() throws IOException {
    return buffer.hasRemaining() || fill();
  }

  /**
   * Moves bytes that were read from the link already to another buffer, which has room for them.
   */
  public void takeBuffered(ByteBuffer target) {
    target.put(buffer);
  }

  // ---------------------------------------------------------------- the buffer

  /** Checks that the packet has so many bytes left, and brings them to the buffer. */
  private void take(int count) throws IOException {
    checkRemaining(count);
    require(count);
    remaining -= count;
  }

  private void checkRemaining(long count) throws WireException {
    if (count > remaining) {
      throw new WireException(
          "the packet is too short: "
              + count
              + " bytes are needed, but "
              + remaining
              + " are left");
    }
  }

  private void require(int count) throws IOException {
    while (buffer.remaining() < count) {
      if (!fill()) {
        throw ended();
      }
    }
  }

  /** Reads more; false at the end of the stream. */
  private boolean fill() throws IOException {
    buffer.compact();
    try {
      return link.read(buffer) > 0;
    } finally {
      buffer.flip();
    }
  }

  private EOFException ended() {
    return new EOFException(link.peer() + " closed the connection in the middle of a message");
  }
}
