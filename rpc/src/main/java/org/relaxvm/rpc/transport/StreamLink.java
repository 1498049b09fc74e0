package org.relaxvm.rpc.transport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection over two streams: TLS, or the pipes of a process. */
final class StreamLink extends AbstractLink {
  private static final Logger LOG = LoggerFactory.getLogger(StreamLink.class);
  private static final int CHUNK = 1 << 16;
  private static final Duration GOODBYE_TIME = Duration.ofMillis(200);

  private final InputStream in;
  private final OutputStream out;
  private final @Nullable Closeable goodbye;
  private final Closeable carrier;
  private final ReentrantLock writing = new ReentrantLock();
  private final byte[] received = new byte[CHUNK];
  private final byte[] sent = new byte[CHUNK];

  /**
   * Takes the streams over.
   *
   * @param goodbye closed first, unless that would wait for the peer; null for none
   * @param carrier closed with the link, and closes both streams
   */
  StreamLink(
      InputStream in,
      OutputStream out,
      @Nullable Closeable goodbye,
      Closeable carrier,
      String peer) {
    super(peer);
    this.in = in;
    this.out = out;
    this.goodbye = goodbye;
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
    writing.lock();
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
    } finally {
      writing.unlock();
    }
  }

  /** A write that goes on may be blocked by the peer for ever. */
  @Override
  void doClose() {
    if (goodbye != null && writing.tryLock()) {
      try {
        Thread.ofVirtual().start(() -> sayGoodbye(goodbye)).join(GOODBYE_TIME);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        writing.unlock();
      }
    }
    try {
      carrier.close();
    } catch (IOException e) {
      // The descriptors are released all the same.
    }
  }

  private void sayGoodbye(Closeable last) {
    try {
      last.close();
    } catch (IOException e) {
      LOG.debug("{} was gone already", peer(), e);
    }
  }
}
