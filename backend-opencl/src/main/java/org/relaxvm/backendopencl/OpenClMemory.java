package org.relaxvm.backendopencl;

import org.jocl.cl_mem;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendsupport.gpu.device.GpuMemory;

/** A block: one {@code cl_mem}, until it is freed. Thread-safe. */
final class OpenClMemory extends GpuMemory {
  private final DeviceContext context;
  private final cl_mem handle;

  OpenClMemory(DeviceContext context, cl_mem handle, long byteSize) {
    super(context, byteSize);
    this.context = context;
    this.handle = handle;
  }

  /** The handle, as long as the block is not freed. */
  cl_mem handle() {
    requireLive();
    return handle;
  }

  @Override
  protected void release() {
    context.cl().release(handle);
  }
}
