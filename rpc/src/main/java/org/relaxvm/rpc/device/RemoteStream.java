package org.relaxvm.rpc.device;

import java.util.concurrent.atomic.AtomicBoolean;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/**
 * A stream of a remote device. All streams of a session are one queue, the connection, so their
 * work is done in the order in which it was submitted to any of them; each has its own errors.
 */
final class RemoteStream implements Stream {
  private final RemoteDevice device;
  private volatile boolean closed;

  RemoteStream(RemoteDevice device) {
    this.device = device;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void synchronize() {
    device.finish(this);
  }

  @Override
  public Event record() {
    return new Point(closed);
  }

  /** Does nothing: there is one queue. */
  @Override
  public void waitFor(Event event) {}

  @Override
  public void close() {
    if (!closed) {
      device.await(this);
      closed = true;
      device.conversation().forget(this);
    }
  }

  /** A point of the queue; all before it is done when the queue is. */
  private final class Point implements Event {
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile boolean complete;

    Point(boolean complete) {
      this.complete = complete;
    }

    /** Only the server knows: the first call has a thread ask it. */
    @Override
    public boolean isComplete() {
      if (!complete && asked.compareAndSet(false, true)) {
        Thread.ofVirtual().name("relaxvm-rpc-event").start(this::await);
      }
      return complete;
    }

    @Override
    public void await() {
      if (!complete) {
        device.await(RemoteStream.this);
        complete = true;
      }
    }

    @Override
    public void close() {}
  }
}
