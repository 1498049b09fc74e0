package org.relaxvm.backendopencl;

import org.jocl.cl_mem;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.context.Owned;

/** A block: one {@code cl_mem}, until it is freed. Thread-safe. */
final class OpenClMemory implements DeviceMemory, Owned {
  private final DeviceContext context;
  private final long byteSize;
  private volatile @Nullable cl_mem handle;

  OpenClMemory(DeviceContext context, cl_mem handle, long byteSize) {
    this.context = context;
    this.handle = handle;
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

  /** The handle, as long as the block is not freed. */
  cl_mem handle() {
    cl_mem live = handle;
    if (live == null) {
      throw freed();
    }
    return live;
  }

  /** Gives the handle back, once. */
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
    cl_mem live = handle;
    if (live == null) {
      return false;
    }
    handle = null;
    context.cl().release(live);
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
