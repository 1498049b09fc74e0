package org.relaxvm.backendcuda;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.GpuEvent;

/** A point in a stream. */
final class CudaEvent extends GpuEvent<Handle.Event> {
  private final DeviceContext context;
  private final Handle.Context holder;

  CudaEvent(
      CudaDevice device,
      DeviceContext context,
      Handle.Context holder,
      Handle.@Nullable Event handle) {
    super(device, context, handle);
    this.context = context;
    this.holder = holder;
  }

  @Override
  protected boolean isDone(Handle.Event live) {
    try {
      // Nothing runs on a lost device: who waits for it learns of that.
      return context.isLost() || context.cuda().isDone(holder, live);
    } catch (CudaStatusException e) {
      throw context.failure(e, "tell whether work is done");
    }
  }

  @Override
  protected void await(Handle.Event live) {
    try {
      context.cuda().await(holder, live);
    } catch (CudaStatusException e) {
      throw context.workFailure(e, "finish the work before an event");
    }
  }

  @Override
  protected void release(Handle.Event live) {
    context.cuda().release(holder, live);
  }
}
