package org.relaxvm.api.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.api.Storage;
import org.relaxvm.api.events.AllocationEvent;
import org.relaxvm.api.events.Events;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

/**
 * Asks the device for each block and releases it at its last release, after the work of the stream
 * that used it. Sizes are exact, and every memory scope of the device is available.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 11.1. Thread-safe.
 */
public final class NaiveAllocator extends Allocator {
  private final MemoryLedger ledger;
  private final AtomicLong allocations = new AtomicLong();
  private final AtomicLong liveBlocks = new AtomicLong();
  private final AtomicLong liveBytes = new AtomicLong();
  private volatile boolean closed;

  /** An allocator over a device without a budget. */
  public NaiveAllocator(Device device) {
    this(device, AllocatorOptions.DEFAULT);
  }

  /** An allocator over a device, which outlives it. */
  public NaiveAllocator(Device device, AllocatorOptions options) {
    this(device, new MemoryLedger(device, options));
  }

  NaiveAllocator(Device device, MemoryLedger ledger) {
    super(device);
    this.ledger = ledger;
  }

  @Override
  protected Storage doAllocate(long byteSize, long alignment, String scope, Stream stream) {
    if (closed) {
      throw ledger.closed();
    }
    DeviceMemory memory = ledger.take(byteSize, alignment, scope, byteSize, 0);
    boolean handedOut = false;
    try {
      Storage storage = newStorage(memory, byteSize, scope, stream);
      if (Events.areOn()) {
        AllocationEvent.emit(device(), byteSize, memory.byteSize(), false, ledger.reservedBytes());
      }
      allocations.incrementAndGet();
      liveBlocks.incrementAndGet();
      liveBytes.addAndGet(memory.byteSize());
      handedOut = true;
      return storage;
    } finally {
      if (!handedOut) {
        ledger.give(memory, null);
      }
    }
  }

  @Override
  protected void doFree(Storage storage) {
    DeviceMemory memory = storage.memory();
    liveBlocks.decrementAndGet();
    liveBytes.addAndGet(-memory.byteSize());
    ledger.give(memory, storage.stream());
  }

  @Override
  public AllocatorStats stats() {
    long served = allocations.get();
    return new AllocatorStats(
        liveBytes.get(),
        ledger.reservedBytes(),
        ledger.peakBytes(),
        ledger.budgetBytes(),
        served,
        served,
        liveBlocks.get());
  }

  /** Does nothing: there are no idle blocks. */
  @Override
  public void trim() {}

  @Override
  public void close() {
    closed = true;
  }
}
