package org.relaxvm.backendvulkan;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.context.Owned;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.driver.DeviceCalls;

/** A block: one {@code VkBuffer}, until it is freed. Thread-safe. */
final class VulkanMemory implements DeviceMemory, Owned {
  private final DeviceContext context;
  private final DeviceCalls calls;
  private final long byteSize;
  private volatile @Nullable DeviceBuffer buffer;

  VulkanMemory(DeviceContext context, DeviceCalls calls, DeviceBuffer buffer, long byteSize) {
    this.context = context;
    this.calls = calls;
    this.buffer = buffer;
    this.byteSize = byteSize;
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  /** Whether a device of this context made it. */
  boolean isOf(DeviceContext other) {
    return context.equals(other);
  }

  /** The memory, as long as the block is not freed. */
  DeviceBuffer buffer() {
    DeviceBuffer live = buffer;
    if (live == null) {
      throw freed();
    }
    return live;
  }

  /** Gives the memory back, once; work that was recorded still has it. */
  void free() {
    if (!release()) {
      throw freed();
    }
    context.disown(this);
  }

  @Override
  public void releaseHandles() {
    release();
  }

  private synchronized boolean release() {
    DeviceBuffer live = buffer;
    if (live == null) {
      return false;
    }
    buffer = null;
    context.retire(() -> calls.destroyBuffer(live));
    return true;
  }

  private BackendException freed() {
    return new BackendException(
        ErrorKind.VALUE,
        "a block of " + byteSize + " bytes on " + context.id() + " was freed: it has no content");
  }

  @Override
  public String toString() {
    return "a block of " + byteSize + " bytes on " + context.id();
  }
}
