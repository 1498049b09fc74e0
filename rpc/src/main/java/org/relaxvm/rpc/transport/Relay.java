package org.relaxvm.rpc.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries bytes from one connection to another. */
public final class Relay {
  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

  /** The room that a buffer for {@link #carry} needs. */
  public static final int BUFFER_BYTES = 1 << 16;

  private Relay() {}

  /**
   * Carries bytes until a side ends, and closes both: an RPC session has no half that goes on.
   *
   * @param buffer filled with what was read already, and used for the rest
   */
  public static void carry(Link from, ByteBuffer buffer, Link to) {
    carryOneWay(
        from,
        buffer,
        to,
        () -> {
          from.close();
          to.close();
        });
  }

  /**
   * Carries bytes until a side ends.
   *
   * @param buffer filled with what was read already, and used for the rest
   * @param atEnd what to do then
   */
  public static void carryOneWay(Link from, ByteBuffer buffer, Link to, Runnable atEnd) {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    try {
      do {
        buffer.flip();
        to.write(buffer, nothing);
        buffer.clear();
      } while (from.read(buffer) > 0);
    } catch (IOException e) {
      LOG.debug("a pair of {} and {} ended", from.peer(), to.peer(), e);
    } finally {
      atEnd.run();
    }
  }
}
