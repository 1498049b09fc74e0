package org.relaxvm.backendtestkit.reference;

import java.util.ArrayDeque;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/**
 * A queue of work that nobody does before somebody waits for it: who forgets to wait, or to order
 * two streams, reads old bytes each time and not only sometimes.
 *
 * <p>One lock of the device guards all its queues, so that waiting across streams cannot deadlock.
 */
public class ReferenceStream implements Stream {
  private final ReferenceDevice device;
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private long submitted;
  private long done;
  private boolean closed;

  /** Opens a queue of a device. */
  protected ReferenceStream(ReferenceDevice device) {
    this.device = device;
  }

  @Override
  public Device device() {
    return device;
  }

  /**
   * Adds work.
   *
   * @throws BackendException when the stream or its device is closed
   */
  protected void submit(Runnable work) {
    device.lock().lock();
    try {
      device.requireOpen();
      if (closed) {
        throw new BackendException(
            ErrorKind.VALUE, "a stream of " + device + " is closed: it takes no work");
      }
      queue.add(work);
      submitted++;
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public void synchronize() {
    device.lock().lock();
    try {
      runUntil(submitted);
    } finally {
      device.lock().unlock();
    }
  }

  private void runUntil(long end) {
    while (done < end) {
      Runnable work = queue.remove();
      done++;
      work.run();
    }
  }

  @Override
  public Event record() {
    device.lock().lock();
    try {
      return new Point(this, submitted);
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public void waitFor(Event event) {
    submit(event::await);
  }

  @Override
  public void close() {
    device.lock().lock();
    try {
      runUntil(submitted);
      closed = true;
    } finally {
      device.lock().unlock();
    }
  }

  private record Point(ReferenceStream stream, long end) implements Event {
    @Override
    public boolean isComplete() {
      stream.device.lock().lock();
      try {
        return stream.done >= end;
      } finally {
        stream.device.lock().unlock();
      }
    }

    @Override
    public void await() {
      stream.device.lock().lock();
      try {
        stream.runUntil(end);
      } finally {
        stream.device.lock().unlock();
      }
    }

    @Override
    public void close() {}
  }
}
