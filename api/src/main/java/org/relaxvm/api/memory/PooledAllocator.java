package org.relaxvm.api.memory;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.events.AllocationEvent;
import org.relaxvm.api.events.Events;
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
 * for. Where no block of that size is idle, one of up to twice the size serves; {@link
 * Storage#byteSize()} is the same then.
 *
 * <p><b>Bound.</b> The pool holds at most 16 MiB, or four times the most bytes that were in use at
 * once, whichever is more: whenever the device gives a block, idle blocks go back to it until that
 * is so again, those of the sizes that were used longest ago first. Bytes in use are those of whole
 * blocks. They are looked at each time the device gives a block, and a peak is forgotten after 2048
 * blocks at most. Blocks that other threads take at the same moment may come on top.
 *
 * <p>In a pool that is half full by this measure, a block that the device gives replaces an idle
 * one of at least half its size, if there is one: sizes that grow or change from call to call share
 * blocks. When the same sizes come again and again, the device is soon asked no more: while the
 * bound is not reached, blocks only become more or larger. A program that would need more than the
 * bound for all its phases together keeps asking.
 *
 * <p>Within the budget, idle blocks go back as far as is needed; when the device refuses, all of
 * them do and it is tried once more. {@link #trim()} and {@link #close()} give all of them back. No
 * thread runs in the background.
 *
 * <p>A block is reused at once by the stream that used it last. Another stream first waits for what
 * that stream has been given so far; on the host, where work is done when it is submitted, there is
 * nothing to wait for.
 *
 * <p>Blocks are aligned to 256 bytes at least; requests for more are served by the device each
 * time. Memory scopes other than {@code global} are refused: a {@link NaiveAllocator} has them.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 11.1. Thread-safe.
 *
 * <p>Rationale: docs/rationale/api.md, "Why does a storage report the requested size and not the
 * block's?"
 */
public final class PooledAllocator extends Allocator {
  private static final long BLOCK_ALIGNMENT = 256;

  private final Logger log = LoggerFactory.getLogger(PooledAllocator.class);
  private final boolean host;
  private final MemoryLedger ledger;
  private final NaiveAllocator unpooled;
  private final IdleBlocks[] classes = new IdleBlocks[SizeClasses.COUNT];
  private final PoolLimit limit;
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
    limit = new PoolLimit(classes, ledger);
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
      Events.fallback(
          "a pooled block",
          "a block that the device gives and takes back each time",
          "the pool aligns to 256 bytes and no more");
      return unpooled.allocate(byteSize, alignment, scope, stream);
    }
    int index = SizeClasses.indexOf(byteSize);
    DeviceMemory memory = takeIdle(index, stream);
    if (memory == null) {
      memory = takeLarger(index, stream);
    }
    boolean reused = memory != null;
    if (memory == null) {
      memory = takeFromDevice(index, byteSize);
    }
    boolean handedOut = false;
    try {
      if (Events.areOn()) {
        AllocationEvent.emit(device(), byteSize, memory.byteSize(), reused, ledger.reservedBytes());
      }
      Storage storage = newStorage(memory, SizeClasses.blockBytes(index), scope, stream);
      handedOut = true;
      return storage;
    } finally {
      if (!handedOut) {
        takeBack(memory, stream);
      }
    }
  }

  @Override
  protected void doFree(Storage storage) {
    takeBack(storage.memory(), storage.stream());
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
    Throwable failure = null;
    for (IdleBlocks idle : classes) {
      for (IdleBlocks.Idle block : idle.drain()) {
        try {
          ledger.give(block.memory(), block.last());
        } catch (RuntimeException | Error e) {
          // The others go back all the same.
          failure = FirstFailure.of(failure, e);
        }
      }
    }
    FirstFailure.raise(failure);
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

  private @Nullable DeviceMemory takeIdle(int index, Stream stream) {
    return host ? classes[index].takeLast() : takeOrdered(index, stream);
  }

  /** An idle block of at most twice the size of a class. */
  private @Nullable DeviceMemory takeLarger(int index, Stream stream) {
    long most = 2 * SizeClasses.blockBytes(index);
    for (int i = index + 1; i < classes.length && SizeClasses.blockBytes(i) <= most; i++) {
      DeviceMemory memory = takeIdle(i, stream);
      if (memory != null) {
        return memory;
      }
    }
    return null;
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
          takeBack(block.memory(), last);
        }
      }
    }
    return block.memory();
  }

  private void takeBack(DeviceMemory memory, @Nullable Stream last) {
    if (!classes[indexOf(memory)].put(memory, last, limit.now())) {
      ledger.give(memory, last);
    }
  }

  /** The class of a block; the device may have rounded its size up. */
  private static int indexOf(DeviceMemory memory) {
    return SizeClasses.indexWithin(Math.min(memory.byteSize(), SizeClasses.MAX_BYTES));
  }

  private DeviceMemory takeFromDevice(int index, long requested) {
    long blockBytes = SizeClasses.blockBytes(index);
    limit.makeRoom(index, unpooled.stats().liveBytes());
    DeviceMemory memory = takeOrTrim(blockBytes, requested);
    classes[indexOf(memory)].addFromDevice();
    return memory;
  }

  private DeviceMemory takeOrTrim(long blockBytes, long requested) {
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
            "memory scope '"
                + scope
                + "' is not supported by the pooled allocator of "
                + device()
                + "\n  expected: global\n  what to do: use the naive allocator")
        .withTvmMessage("This alloc should be implemented");
  }
}
