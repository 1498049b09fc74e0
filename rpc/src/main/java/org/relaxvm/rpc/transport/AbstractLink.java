package org.relaxvm.rpc.transport;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** What all links share: deadline, expiry and closing once. */
abstract class AbstractLink implements Link {
  private final String peer;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile long deadline = NEVER;
  private volatile boolean expired;

  AbstractLink(String peer) {
    this.peer = peer;
  }

  @Override
  public final String peer() {
    return peer;
  }

  @Override
  public final void deadline(long nanoTime) {
    deadline = nanoTime;
    Deadlines.shared().changed(nanoTime);
  }

  final long deadline() {
    return deadline;
  }

  /** Called when the deadline has passed. */
  final void expire() {
    expired = true;
    close();
  }

  /**
   * The exception of an operation that failed: closing at the deadline makes it fail in many ways.
   */
  final IOException failure(IOException cause) {
    if (!expired) {
      return cause;
    }
    LinkTimeoutException timeout = new LinkTimeoutException(peer);
    timeout.addSuppressed(cause);
    return timeout;
  }

  @Override
  public final boolean isClosed() {
    return closed.get();
  }

  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      Deadlines.shared().remove(this);
      doClose();
    }
  }

  /** Closes what carries the bytes; failures are of no use to anybody. */
  abstract void doClose();
}
