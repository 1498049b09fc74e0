package org.relaxvm.backendsupport.gpu.device;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;

/**
 * An event with a native handle. Without a handle all work before it is done, as after its stream
 * was closed.
 *
 * <p>The handle is released when the event is closed and no thread uses it any more.
 *
 * @param <H> the native handle
 */
public abstract class GpuEvent<H> implements Event, Owned {
  private final Device device;
  private final DeviceLifetime lifetime;
  private final @Nullable H handle;
  private int users = 1;
  private boolean closed;

  /** An event of a device, with or without a handle. */
  protected GpuEvent(Device device, DeviceLifetime lifetime, @Nullable H handle) {
    this.device = device;
    this.lifetime = lifetime;
    this.handle = handle;
  }

  /** The device of the event's stream. */
  public final Device device() {
    return device;
  }

  /** Whether the work before the event is done; called while the handle is live. */
  protected abstract boolean isDone(H live);

  /** Waits for the work before the event; called while the handle is live. */
  protected abstract void await(H live);

  /** Releases the handle. Called once; never throws. */
  protected abstract void release(H live);

  /** Passes the handle to an action; does nothing if the work is done or the event closed. */
  public final void use(Consumer<? super H> action) {
    lifetime.runIfOpen(() -> useLive(action));
  }

  private void useLive(Consumer<? super H> action) {
    H live = enter();
    if (live != null) {
      try {
        action.accept(live);
      } finally {
        leave(live);
      }
    }
  }

  @Override
  public final boolean isComplete() {
    AtomicBoolean done = new AtomicBoolean(true);
    use(live -> done.set(isDone(live)));
    return done.get();
  }

  @Override
  public final void await() {
    if (handle != null) {
      lifetime.run(() -> useLive(this::await));
    }
  }

  private synchronized @Nullable H enter() {
    if (closed || handle == null || users == 0) {
      return null;
    }
    users++;
    return handle;
  }

  private synchronized void leave(H live) {
    users--;
    if (users == 0) {
      release(live);
    }
  }

  @Override
  public final synchronized void releaseHandles() {
    H live = handle;
    if (!closed && live != null) {
      leave(live);
    }
    closed = true;
  }

  @Override
  public final void close() {
    releaseHandles();
    lifetime.disown(this);
  }
}
