package org.relaxvm.vmcore.capture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Stream;

/**
 * The memory of one recording: blocks of another allocator that nobody else gets before this one is
 * closed. A block that is freed serves the next request of the same size, alignment and scope, so a
 * call that is made again asks the other allocator for nothing.
 *
 * <p>All requests come from one stream, whose order makes it safe to reuse a block at once.
 *
 * <p>Thread-safe: blocks are freed from any thread.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does a recording have its own allocator?"
 */
public final class CaptureMemory extends Allocator {
  private final Allocator source;
  private final Map<Request, ArrayDeque<Block>> idle = new HashMap<>();
  private final Map<Storage, Block> live = new IdentityHashMap<>();
  private long liveBytes;
  private long reservedBytes;
  private long peakBytes;
  private long allocations;
  private long sourceAllocations;
  private boolean closed;

  /** Creates a memory that is filled from an allocator, which outlives it. */
  CaptureMemory(Allocator source) {
    super(source.device());
    this.source = source;
  }

  private record Request(long byteSize, long alignment, String scope) {}

  private record Block(Request request, Storage storage) {
    long byteSize() {
      return storage.memory().byteSize();
    }
  }

  @Override
  protected Storage doAllocate(long byteSize, long alignment, String scope, Stream stream) {
    Request request = new Request(byteSize, alignment, scope);
    Block block = takeIdle(request);
    if (block == null) {
      block = takeFromSource(request);
    }
    Storage own = block.storage();
    Storage made = newStorage(own.memory(), own.byteSize(), own.scope(), stream);
    hand(block, made);
    return made;
  }

  private synchronized @Nullable Block takeIdle(Request request) {
    if (closed) {
      throw new BackendException(
          ErrorKind.VALUE,
          "the recording of work on " + device() + " is closed: it hands out no memory");
    }
    ArrayDeque<Block> blocks = idle.get(request);
    return blocks == null ? null : blocks.pollFirst();
  }

  /**
   * A block on which no work is under way. Not asked for with the stream of the recording: whoever
   * used the block before may have to be waited for, and a stream that records waits for nobody.
   */
  private Block takeFromSource(Request request) {
    try (Stream aside = device().openStream()) {
      Storage storage =
          source.allocate(request.byteSize(), request.alignment(), request.scope(), aside);
      boolean ready = false;
      try {
        aside.synchronize();
        ready = true;
      } finally {
        if (!ready) {
          storage.release();
        }
      }
      Block block = new Block(request, storage);
      countFromSource(block);
      return block;
    }
  }

  private synchronized void countFromSource(Block block) {
    sourceAllocations++;
    reservedBytes += block.byteSize();
    peakBytes = Math.max(peakBytes, reservedBytes);
  }

  private synchronized void hand(Block block, Storage made) {
    live.put(made, block);
    allocations++;
    liveBytes += block.byteSize();
  }

  /** Whether a storage is one of this memory. */
  synchronized boolean owns(Storage storage) {
    return live.containsKey(storage);
  }

  @Override
  protected void doFree(Storage storage) {
    Block block = keepUnlessClosed(storage);
    if (block != null) {
      block.storage().release();
    }
  }

  /** Puts a block back; gives it when nothing is kept any more. */
  private synchronized @Nullable Block keepUnlessClosed(Storage storage) {
    Block block = live.remove(storage);
    if (block == null) {
      throw new IllegalStateException(storage + " is none of the memory of this recording");
    }
    liveBytes -= block.byteSize();
    if (closed) {
      reservedBytes -= block.byteSize();
      return block;
    }
    idle.computeIfAbsent(block.request(), _ -> new ArrayDeque<>()).addFirst(block);
    return null;
  }

  @Override
  public synchronized AllocatorStats stats() {
    return new AllocatorStats(
        liveBytes,
        reservedBytes,
        peakBytes,
        Long.MAX_VALUE,
        allocations,
        sourceAllocations,
        live.size());
  }

  /** Does nothing: what was recorded uses the idle blocks too. */
  @Override
  public void trim() {}

  /** {@inheritDoc} No work of the recording is under way any more. */
  @Override
  public void close() {
    Throwable failure = null;
    for (Block block : drain()) {
      try {
        block.storage().release();
      } catch (RuntimeException | Error e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    FirstFailure.raise(failure);
  }

  private synchronized List<Block> drain() {
    closed = true;
    List<Block> drained = new ArrayList<>();
    idle.values().forEach(drained::addAll);
    idle.clear();
    drained.forEach(block -> reservedBytes -= block.byteSize());
    return drained;
  }
}
