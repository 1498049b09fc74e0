package org.relaxvm.backendvulkan;

import org.relaxvm.backendsupport.gpu.device.GpuMemory;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;

/** A block: one {@code VkBuffer}, until it is freed. Thread-safe. */
final class VulkanMemory extends GpuMemory {
  private final DeviceContext context;
  private final DeviceCalls calls;
  private final DeviceBuffer buffer;

  VulkanMemory(DeviceContext context, DeviceCalls calls, DeviceBuffer buffer, long byteSize) {
    super(context, byteSize);
    this.context = context;
    this.calls = calls;
    this.buffer = buffer;
  }

  /** The memory, as long as the block is not freed. */
  DeviceBuffer buffer() {
    requireLive();
    return buffer;
  }

  /** Work that was recorded still has the memory. */
  @Override
  protected void release() {
    context.retire(() -> calls.destroyBuffer(buffer));
  }
}
