package org.relaxvm.rpc.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The first messages of a data connection. Source: docs/spec/rpc-protocol.md, section 1.
 *
 * <p>A side says hello with a magic number and its key; the other answers with a code and, on
 * success, its own key. A key is {@code client:} or {@code server:} with a name, then options.
 */
public final class Handshake {
  public static final int MAGIC = 0xff271;
  public static final int SUCCESS = MAGIC;
  public static final int DUPLICATE = MAGIC + 1;
  public static final int MISMATCH = MAGIC + 2;

  /** The first bytes of a connection to a tracker. */
  public static final int TRACKER_MAGIC = 0x2f271;

  /** The longest key. */
  public static final int MAX_KEY_BYTES = 1 << 14;

  private Handshake() {}

  /** Sends a number and a key: a hello, or the answer of one who agrees. */
  public static void send(PacketOutput out, int number, String key) throws IOException {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    ByteBuffer message =
        ByteBuffer.allocate(2 * Integer.BYTES + bytes.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(number)
            .putInt(bytes.length)
            .put(bytes);
    out.sendBare(message.array());
  }

  /** Sends a number alone: an answer that refuses. */
  public static void send(PacketOutput out, int number) throws IOException {
    out.sendBare(
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array());
  }

  /**
   * The key after a number.
   *
   * @throws WireException when its length is out of bounds
   */
  public static String readKey(PacketInput in) throws IOException {
    int length = in.readBareInt();
    if (length < 0 || length > MAX_KEY_BYTES) {
      throw new WireException(
          "a key of "
              + Integer.toUnsignedString(length)
              + " bytes; at most "
              + MAX_KEY_BYTES
              + " are allowed");
    }
    return new String(in.readBareBytes(length), StandardCharsets.UTF_8);
  }
}
