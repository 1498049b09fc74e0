package org.relaxvm.api.memory;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps freed blocks and hands them out again, the last freed first. Sizes are rounded up: to
 * multiples of 4096 up to 64 KiB, above that by at most an eighth; a size of 0 stays 0. {@link
 * Storage#byteSize()} is the rounded size, so a tensor may be a little larger than what was asked
 * for.
 *
 * <p>When the device or the budget refuses, all idle blocks go back to the device and it is tried
 * once more. Otherwise idle blocks go back only at {@link #trim()} and {@link #close()}.
 *
 * <p>A block is reused at once by the stream that used it last. Another stream first waits for what
 * that stream has been given so far; on the host, where work is done when it is submitted, there is
 * nothing to wait for.
 *
 * <p>Blocks are aligned to 256 bytes at least; requests for more are served by the device each
 * time. Memory scopes other than {@code global} are refused: a {@link NaiveAllocator} has them.
 *
 * <p>Source: VM semantics, section 11.1. Thread-safe.
 */
public final class PooledAllocator extends Allocator {
  private static final long BLOCK_ALIGNMENT = 256;

  private final Logger log = LoggerFactory.getLogger(PooledAllocator.class);
  private final boolean host;
  private final MemoryLedger ledger;
  private final NaiveAllocator unpooled;
  private final IdleBlocks[] classes = new IdleBlocks[SizeClasses.COUNT];
  private volatile boolean closed;

  /** A pool over a device without a budget. */
  public PooledAllocator(Device device) {
    this(device, AllocatorOptions.DEFAULT);
  }

  /** A pool over a device, which outlives it. */
  public PooledAllocator(Device device, AllocatorOptions options) {
    super(device);
    host = device.isHost();
    ledger = new MemoryLedger(device, options);
    unpooled = new NaiveAllocator(device, ledger);
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new IdleBlocks();
    }
  }

  @Override
  protected Storage doAllocate(long byteSize, long alignment, String scope, Stream stream) {
    if (closed) {
      throw ledger.closed();
    }
    if (!scope.isEmpty() && !scope.equals("global")) {
      throw unknownScope(scope);
    }
    if (alignment > BLOCK_ALIGNMENT || byteSize > SizeClasses.MAX_BYTES) {
      return unpooled.allocate(byteSize, alignment, scope, stream);
    }
    int index = SizeClasses.indexOf(byteSize);
    IdleBlocks idle = classes[index];
    DeviceMemory memory = host ? idle.takeLast() : takeOrdered(index, stream);
    long blockBytes = SizeClasses.blockBytes(index);
    if (memory == null) {
      memory = takeFromDevice(blockBytes, byteSize);
      idle.addFromDevice();
    }
    return new Storage(device(), memory, blockBytes, scope, this, stream);
  }

  @Override
  protected void doFree(Storage storage) {
    takeBack(storage.memory(), SizeClasses.indexOf(storage.byteSize()), storage.stream());
  }

  @Override
  public AllocatorStats stats() {
    AllocatorStats large = unpooled.stats();
    long liveBytes = large.liveBytes();
    long allocations = large.allocations();
    long deviceAllocations = large.deviceAllocations();
    long liveBlocks = large.liveBlocks();
    for (int i = 0; i < classes.length; i++) {
      IdleBlocks.Counters counters = classes[i].counters();
      liveBytes += counters.liveBlocks() * SizeClasses.blockBytes(i);
      allocations += counters.allocations();
      deviceAllocations += counters.deviceAllocations();
      liveBlocks += counters.liveBlocks();
    }
    return new AllocatorStats(
        liveBytes,
        ledger.reservedBytes(),
        ledger.peakBytes(),
        ledger.budgetBytes(),
        allocations,
        deviceAllocations,
        liveBlocks);
  }

  @Override
  public void trim() {
    RelaxException failure = null;
    for (int i = 0; i < classes.length; i++) {
      for (IdleBlocks.Idle block : classes[i].drain()) {
        try {
          ledger.give(block.memory(), SizeClasses.blockBytes(i), block.last());
        } catch (RelaxException e) {
          // The others go back all the same.
          failure = failure == null ? e : failure;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    closed = true;
    unpooled.close();
    for (IdleBlocks idle : classes) {
      idle.close();
    }
    trim();
  }

  private @Nullable DeviceMemory takeOrdered(int index, Stream stream) {
    IdleBlocks.Idle block = classes[index].take(stream);
    if (block == null) {
      return null;
    }
    Stream last = block.last();
    if (last != null && !last.equals(stream)) {
      boolean ordered = false;
      try (Event end = last.record()) {
        stream.waitFor(end);
        ordered = true;
      } finally {
        if (!ordered) {
          takeBack(block.memory(), index, last);
        }
      }
    }
    return block.memory();
  }

  private void takeBack(DeviceMemory memory, int index, @Nullable Stream last) {
    if (!classes[index].put(memory, last)) {
      ledger.give(memory, SizeClasses.blockBytes(index), last);
    }
  }

  private DeviceMemory takeFromDevice(long blockBytes, long requested) {
    if (ledger.fits(blockBytes)) {
      try {
        return ledger.take(blockBytes, BLOCK_ALIGNMENT, "", requested, idleBytes());
      } catch (DeviceOutOfMemoryException e) {
        log.debug("releasing idle blocks, then trying once more: {}", e.getMessage());
      }
    }
    trim();
    return ledger.take(blockBytes, BLOCK_ALIGNMENT, "", requested, idleBytes());
  }

  private long idleBytes() {
    long bytes = 0;
    for (int i = 0; i < classes.length; i++) {
      bytes += classes[i].counters().idleBlocks() * SizeClasses.blockBytes(i);
    }
    return bytes;
  }

  private CallException unknownScope(String scope) {
    return new CallException(
        ErrorKind.INTERNAL,
        "This alloc should be implemented\n  the pooled allocator of "
            + device()
            + " has only global memory, but scope '"
            + scope
            + "' was asked for; use the naive allocator for it");
  }
}
