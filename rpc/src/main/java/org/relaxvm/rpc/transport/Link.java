package org.relaxvm.rpc.transport;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A connection to one peer: ordered bytes in both directions. Reads and writes block.
 *
 * <p>Threads: one thread reads and one writes at a time, which may be two; {@link #close} and
 * {@link #deadline} from any.
 */
public interface Link extends Closeable {
  /** No deadline. */
  long NEVER = Long.MAX_VALUE;

  /**
   * Reads some bytes.
   *
   * @param target has room
   * @return the number of bytes, at least 1, or -1 at the end of the stream
   * @throws LinkTimeoutException when the deadline passes
   */
  int read(ByteBuffer target) throws IOException;

  /**
   * Writes all remaining bytes of both buffers, in order.
   *
   * @throws LinkTimeoutException when the deadline passes
   */
  void write(ByteBuffer first, ByteBuffer second) throws IOException;

  /**
   * Sets the time at which the link is closed unless another deadline is set before. What blocks
   * then fails with a {@link LinkTimeoutException}.
   *
   * @param nanoTime in terms of {@link System#nanoTime()}, or {@link #NEVER}
   */
  void deadline(long nanoTime);

  /** Who is at the other end, for messages. */
  String peer();

  /** Whether the link was closed at this end. */
  boolean isClosed();

  @Override
  void close();
}
