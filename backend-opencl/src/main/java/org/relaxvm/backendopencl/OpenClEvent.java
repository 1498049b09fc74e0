package org.relaxvm.backendopencl;

import org.jocl.CL;
import org.jocl.cl_event;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendsupport.gpu.device.GpuEvent;

/** A marker in a queue. */
final class OpenClEvent extends GpuEvent<cl_event> {
  private final OpenClStream stream;
  private final DeviceContext context;
  private volatile boolean flushed;

  OpenClEvent(OpenClStream stream, DeviceContext context, @Nullable cl_event handle) {
    super(stream.device(), context, handle);
    this.stream = stream;
    this.context = context;
  }

  OpenClStream stream() {
    return stream;
  }

  @Override
  protected boolean isDone(cl_event live) {
    try {
      flush();
      // Work that failed is done, too: who waits for it learns of the failure.
      return context.cl().status(live) <= CL.CL_COMPLETE;
    } catch (OpenClStatusException e) {
      throw context.failure(e, "tell whether work is done");
    }
  }

  @Override
  protected void await(cl_event live) {
    try {
      flush();
      context.cl().await(live);
    } catch (OpenClStatusException e) {
      throw context.workFailure(e, "finish the work before an event");
    }
  }

  /** Hands over what was enqueued; otherwise the device might never get the work. */
  void flush() {
    if (!flushed) {
      stream.flush();
      flushed = true;
    }
  }

  @Override
  protected void release(cl_event live) {
    context.cl().release(live);
  }
}
