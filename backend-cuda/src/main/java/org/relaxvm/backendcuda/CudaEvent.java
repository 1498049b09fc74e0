package org.relaxvm.backendcuda;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.Event;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.Owned;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;

/**
 * A point in a stream. Without a handle all work before it is done, as after its stream was closed.
 *
 * <p>The handle is released when the event is closed and nobody waits with it any more.
 */
final class CudaEvent implements Event, Owned {
  private final CudaDevice device;
  private final DeviceContext context;
  private final Handle.Context holder;
  private final Handle.@Nullable Event handle;
  private int users = 1;
  private boolean closed;

  CudaEvent(
      CudaDevice device,
      DeviceContext context,
      Handle.Context holder,
      Handle.@Nullable Event handle) {
    this.device = device;
    this.context = context;
    this.holder = holder;
    this.handle = handle;
  }

  CudaDevice device() {
    return device;
  }

  /** Does something with the handle; nothing when the work is done or the event closed. */
  void use(Consumer<? super Handle.Event> waiting) {
    Handle.Event live = enter();
    if (live != null) {
      try {
        waiting.accept(live);
      } finally {
        leave();
      }
    }
  }

  @Override
  public boolean isComplete() {
    Handle.Event live = enter();
    if (live == null) {
      return true;
    }
    try {
      // Nothing runs on a lost device: who waits for it learns of that.
      return context.isLost() || context.cuda().isDone(holder, live);
    } catch (CudaStatusException e) {
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
            context.cuda().await(holder, live);
          } catch (CudaStatusException e) {
            throw context.workFailure(e, "finish the work before an event");
          }
        });
  }

  private synchronized Handle.@Nullable Event enter() {
    if (closed || handle == null || users == 0) {
      return null;
    }
    users++;
    return handle;
  }

  private synchronized void leave() {
    users--;
    if (users == 0 && handle != null) {
      context.cuda().release(holder, handle);
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
