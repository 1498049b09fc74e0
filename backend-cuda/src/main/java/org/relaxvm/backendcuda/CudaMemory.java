package org.relaxvm.backendcuda;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.backendcuda.context.Blocks;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.Owned;

/** A block: a range of a device's addresses, until it is freed. Thread-safe. */
final class CudaMemory implements DeviceMemory, Owned {
  private final DeviceContext context;
  private final long byteSize;
  private final long address;
  private volatile Blocks.@Nullable Block block;

  /**
   * A block.
   *
   * @param address in the memory that was taken, where the block starts
   */
  CudaMemory(DeviceContext context, Blocks.Block block, long address, long byteSize) {
    this.context = context;
    this.block = block;
    this.address = address;
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

  /** Where it starts, as long as it is not freed. */
  long address() {
    if (block == null) {
      throw freed();
    }
    return address;
  }

  /** Gives the memory back, once. */
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
    Blocks.Block live = block;
    if (live == null) {
      return false;
    }
    block = null;
    live.giveBack();
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
