package org.relaxvm.builtins.fakes;

import org.relaxvm.api.Storage;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

/** Asks the device each time and counts. */
public final class CountingAllocator extends Allocator {
  private long allocations;
  private long liveBytes;
  private long liveBlocks;
  private int trims;

  public CountingAllocator(Device device) {
    super(device);
  }

  public int trims() {
    return trims;
  }

  public long liveBlocks() {
    return liveBlocks;
  }

  @Override
  public AllocatorStats stats() {
    return new AllocatorStats(
        liveBytes, liveBytes, liveBytes, Long.MAX_VALUE, allocations, allocations, liveBlocks);
  }

  @Override
  public void trim() {
    trims++;
  }

  @Override
  protected Storage doAllocate(long byteSize, long alignment, String scope, Stream stream) {
    DeviceMemory memory = device().allocate(byteSize, alignment, scope);
    allocations++;
    liveBlocks++;
    liveBytes += byteSize;
    return newStorage(memory, byteSize, scope, stream);
  }

  @Override
  protected void doFree(Storage storage) {
    liveBlocks--;
    liveBytes -= storage.byteSize();
    device().free(storage.memory());
  }

  @Override
  public void close() {}
}
