package org.relaxvm.backendcpu.codegen;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.api.host.HostDevice;

/**
 * Memory for what kernels compute on the way. Blocks of a power of two are kept for the next call,
 * up to a limit for all together; what is more is freed by the garbage collector. Thread-safe.
 */
final class ScratchMemory {
  static final ScratchMemory SHARED = new ScratchMemory();

  private static final int SMALLEST = 10;
  private static final int CLASSES = 26;
  private static final long KEPT = 256L << 20;

  private final ConcurrentLinkedDeque<MemorySegment>[] idle;
  private final AtomicLong kept = new AtomicLong();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private ScratchMemory() {
    idle = new ConcurrentLinkedDeque[CLASSES];
    for (int i = 0; i < CLASSES; i++) {
      idle[i] = new ConcurrentLinkedDeque<>();
    }
  }

  /** A block of at least so many bytes, with any content. */
  MemorySegment take(long bytes) {
    int index = index(bytes);
    if (index < CLASSES) {
      MemorySegment block = idle[index].pollFirst();
      if (block != null) {
        kept.addAndGet(-block.byteSize());
        return block;
      }
    }
    long size = index < CLASSES ? 1L << (SMALLEST + index) : bytes;
    return HostDevice.allocateNative(Arena.ofAuto(), size, HostDevice.ALIGNMENT);
  }

  /** Gives a block back that {@link #take} gave. */
  void give(MemorySegment block) {
    int index = index(block.byteSize());
    if (index < CLASSES && kept.addAndGet(block.byteSize()) <= KEPT) {
      idle[index].addFirst(block);
    } else if (index < CLASSES) {
      kept.addAndGet(-block.byteSize());
    }
  }

  private static int index(long bytes) {
    int log = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, bytes) - 1);
    return Math.max(0, log - SMALLEST);
  }
}
