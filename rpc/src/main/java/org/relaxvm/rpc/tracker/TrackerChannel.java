package org.relaxvm.rpc.tracker;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.jr.ob.JSON;
import com.fasterxml.jackson.jr.ob.JSONObjectException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.WireException;
import org.relaxvm.rpc.wire.WireLimits;

/**
 * Messages of a tracker's connection: JSON with its length in front of it, in the form of Python's
 * writer, which peers compare as text.
 *
 * <p>One thread reads and one writes at a time.
 */
final class TrackerChannel implements AutoCloseable {
  static final int PING = 1;
  static final int STOP = 2;
  static final int PUT = 3;
  static final int REQUEST = 4;
  static final int UPDATE_INFO = 5;
  static final int SUMMARY = 6;
  static final int PENDING_MATCH_KEYS = 7;

  private static final int MAX_BYTES = 1 << 20;
  private static final JSON WRITER = JSON.builder().prettyPrinter(new Spaced()).build();

  /** Blanks after separators. */
  private static final class Spaced extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator out) throws IOException {
      out.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator out) throws IOException {
      out.writeRaw(", ");
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator out) throws IOException {
      out.writeRaw(", ");
    }
  }

  private final Link link;
  private final PacketInput in;

  TrackerChannel(Link link) {
    this.link = link;
    this.in = new PacketInput(link, new WireLimits(MAX_BYTES, MAX_BYTES, 1, 1));
  }

  Link link() {
    return link;
  }

  /** Sends the number with which a connection begins, on both sides. */
  void sendMagic() throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    link.write(magic.putInt(Handshake.TRACKER_MAGIC).flip(), ByteBuffer.allocate(0));
  }

  /** The number with which a connection begins. */
  int readMagic() throws IOException {
    return in.readBareInt();
  }

  /** Sends a message. */
  void send(@Nullable Object message) throws IOException {
    byte[] text = WRITER.asString(message).getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(Integer.BYTES + text.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(text.length).put(text).flip();
    link.write(bytes, ByteBuffer.allocate(0));
  }

  /** Whether the other side is still there; waits for its next message. */
  boolean await() throws IOException {
    return in.awaitBytes();
  }

  /**
   * The next message.
   *
   * @throws WireException when it is out of bounds or no JSON
   */
  @Nullable Object receive() throws IOException {
    int length = in.readBareInt();
    if (length <= 0 || length > MAX_BYTES) {
      throw new WireException("a message of " + length + " bytes");
    }
    String text = new String(in.readBareBytes(length), StandardCharsets.UTF_8);
    try {
      return JSON.std.anyFrom(text);
    } catch (JSONObjectException e) {
      throw new WireException("a message that is no JSON");
    }
  }

  /** A message that must be a list beginning with a code. */
  static int code(@Nullable Object message) {
    return message instanceof List<?> list
            && !list.isEmpty()
            && list.getFirst() instanceof Integer code
        ? code
        : -1;
  }

  @Override
  public void close() {
    link.close();
  }
}
