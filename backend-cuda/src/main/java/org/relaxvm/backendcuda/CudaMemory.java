package org.relaxvm.backendcuda;

import org.relaxvm.backendcuda.context.Blocks;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendsupport.gpu.device.GpuMemory;

/** A block: a range of a device's addresses, until it is freed. Thread-safe. */
final class CudaMemory extends GpuMemory {
  private final long address;
  private final Blocks.Block block;

  /**
   * A block.
   *
   * @param address in the memory that was taken, where the block starts
   */
  CudaMemory(DeviceContext context, Blocks.Block block, long address, long byteSize) {
    super(context, byteSize);
    this.block = block;
    this.address = address;
  }

  /** Its first address, as long as it is not freed. */
  long address() {
    requireLive();
    return address;
  }

  @Override
  protected void release() {
    block.giveBack();
  }
}
