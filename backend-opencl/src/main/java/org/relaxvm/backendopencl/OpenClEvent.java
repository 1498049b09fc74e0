package org.relaxvm.backendopencl;

import org.jocl.CL;
import org.jocl.cl_event;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Event;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.context.Owned;
import org.relaxvm.backendopencl.driver.OpenClStatusException;

/**
 * A marker in a queue. Without a handle all work before it is done, as after its stream was closed.
 *
 * <p>The handle is released when the event is closed and nobody waits with it any more.
 */
final class OpenClEvent implements Event, Owned {
  private final OpenClStream stream;
  private final DeviceContext context;
  private final @Nullable cl_event handle;
  private int users = 1;
  private boolean closed;
  private volatile boolean flushed;

  OpenClEvent(OpenClStream stream, DeviceContext context, @Nullable cl_event handle) {
    this.stream = stream;
    this.context = context;
    this.handle = handle;
  }

  OpenClStream stream() {
    return stream;
  }

  /** Makes a queue of the same device wait for this event. */
  interface Waiting {
    void waitFor(cl_event event);
  }

  /** Does something with the handle; nothing when the work is done or the event closed. */
  void use(Waiting waiting) {
    cl_event live = enter();
    if (live != null) {
      try {
        flush();
        waiting.waitFor(live);
      } finally {
        leave();
      }
    }
  }

  @Override
  public boolean isComplete() {
    cl_event live = enter();
    if (live == null) {
      return true;
    }
    try {
      flush();
      // Work that failed is done with, too: who waits for it learns of the failure.
      return context.cl().status(live) <= CL.CL_COMPLETE;
    } catch (OpenClStatusException e) {
      throw context.failure(e, "tell whether work is done");
    } finally {
      leave();
    }
  }

  @Override
  public void await() {
    if (handle != null) {
      context.requireUsable();
    }
    use(
        live -> {
          try {
            context.cl().await(live);
          } catch (OpenClStatusException e) {
            throw context.workFailure(e, "finish the work before an event");
          }
        });
  }

  /** Otherwise the device might never get the work that is waited for. */
  private void flush() {
    if (!flushed) {
      stream.flush();
      flushed = true;
    }
  }

  private synchronized @Nullable cl_event enter() {
    if (closed || handle == null || users == 0) {
      return null;
    }
    users++;
    return handle;
  }

  private synchronized void leave() {
    users--;
    if (users == 0 && handle != null) {
      context.cl().release(handle);
    }
  }

  @Override
  public void releaseHandles() {
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
    }
    if (first) {
      leave();
    }
  }

  @Override
  public void close() {
    releaseHandles();
    context.disown(this);
  }
}
