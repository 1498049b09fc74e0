package org.relaxvm.rpc.transport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A connection over two streams: TLS, or the pipes of a process. */
final class StreamLink extends AbstractLink {
  private static final int CHUNK = 1 << 16;

  private final InputStream in;
  private final OutputStream out;
  private final Closeable carrier;
  private final byte[] received = new byte[CHUNK];
  private final byte[] sent = new byte[CHUNK];

  /**
   * Takes the streams over.
   *
   * @param carrier closed with the link, and closes both streams
   */
  StreamLink(InputStream in, OutputStream out, Closeable carrier, String peer) {
    super(peer);
    this.in = in;
    this.out = out;
    this.carrier = carrier;
    Deadlines.shared().add(this);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    try {
      int count = in.read(received, 0, Math.min(CHUNK, target.remaining()));
      if (count > 0) {
        target.put(received, 0, count);
      }
      return count;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  public void write(ByteBuffer first, ByteBuffer second) throws IOException {
    try {
      int filled = 0;
      for (ByteBuffer source : new ByteBuffer[] {first, second}) {
        while (source.hasRemaining()) {
          int count = Math.min(CHUNK - filled, source.remaining());
          source.get(sent, filled, count);
          filled += count;
          if (filled == CHUNK) {
            out.write(sent, 0, filled);
            filled = 0;
          }
        }
      }
      out.write(sent, 0, filled);
      out.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  @Override
  void doClose() {
    try {
      carrier.close();
    } catch (IOException e) {
      // The descriptors are released all the same.
    }
  }
}
