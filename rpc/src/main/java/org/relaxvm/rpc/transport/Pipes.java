package org.relaxvm.rpc.transport;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;

/** Connections over the pipes of a process. */
public final class Pipes {
  private Pipes() {}

  /**
   * A link over two streams, which it takes over.
   *
   * @param carrier closed with the link; closes both streams
   * @param peer who is at the other end, for messages
   */
  public static Link of(InputStream in, OutputStream out, Closeable carrier, String peer) {
    return new StreamLink(in, out, carrier, peer);
  }
}
