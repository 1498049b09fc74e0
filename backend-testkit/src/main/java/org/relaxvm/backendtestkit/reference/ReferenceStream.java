package org.relaxvm.backendtestkit.reference;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/**
 * A queue of work that nobody does before somebody waits for it: who forgets to wait, or to order
 * two streams, reads old bytes each time and not only sometimes.
 *
 * <p>One lock of the device guards all its queues, so that waiting across streams cannot deadlock.
 *
 * <p>Rationale: docs/rationale/backend-testkit.md, "Why do the reference backend's streams do
 * nothing until somebody waits?"
 */
public class ReferenceStream implements CapturingStream {
  private final ReferenceDevice device;
  private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
  private long submitted;
  private long done;
  private boolean closed;
  private @Nullable List<Runnable> recording;
  private @Nullable String refused;

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
      if (recording != null) {
        recording.add(work);
      } else {
        queue.add(work);
        submitted++;
      }
    } finally {
      device.lock().unlock();
    }
  }

  /**
   * Fails when the stream records.
   *
   * @param what cannot be recorded
   */
  protected void refuseWhileRecording(String what) {
    device.lock().lock();
    try {
      if (recording != null) {
        refused = refused == null ? what : refused;
        throw new BackendException(
            ErrorKind.VALUE,
            what + " cannot be recorded: a stream of " + device + " records work of the device");
      }
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public void beginCapture() {
    device.lock().lock();
    try {
      refuseWhileRecording("another recording");
      refused = null;
      recording = new ArrayList<>();
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public CapturedWork endCapture() {
    device.lock().lock();
    try {
      List<Runnable> work = recording;
      recording = null;
      if (work == null) {
        throw new BackendException(
            ErrorKind.VALUE, "a stream of " + device + " records nothing: there is nothing to end");
      }
      if (refused != null) {
        throw new BackendException(
            ErrorKind.VALUE,
            "the recording of work on "
                + device
                + " is of no use: "
                + refused
                + " cannot be recorded");
      }
      return new Recorded(device, work);
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public void synchronize() {
    device.lock().lock();
    try {
      refuseWhileRecording("waiting for work");
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
      refuseWhileRecording("an event");
      return new Point(this, submitted);
    } finally {
      device.lock().unlock();
    }
  }

  @Override
  public void waitFor(Event event) {
    refuseWhileRecording("waiting for an event");
    submit(event::await);
  }

  @Override
  public void close() {
    device.lock().lock();
    try {
      recording = null;
      runUntil(submitted);
      closed = true;
    } finally {
      device.lock().unlock();
    }
  }

  /** Work that is submitted again and again; whoever closes it knows that it is done. */
  private static final class Recorded implements CapturedWork {
    private final ReferenceDevice device;
    private final List<Runnable> work;
    private boolean closed;

    Recorded(ReferenceDevice device, List<Runnable> work) {
      this.device = device;
      this.work = work;
    }

    @Override
    public int size() {
      return work.size();
    }

    @Override
    public void submit(Stream stream) {
      if (closed) {
        throw new BackendException(
            ErrorKind.VALUE, "recorded work of " + device + " is closed: it cannot be submitted");
      }
      if (stream instanceof ReferenceStream own) {
        own.refuseWhileRecording("recorded work");
      }
      work.forEach(each -> device.submit(stream, each));
    }

    @Override
    public void close() {
      closed = true;
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
