package org.relaxvm.backendcpu.micro;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.VmContext;
import org.relaxvm.backendcpu.invocation.ScratchMemory;

/** Memory of the threads of a call: as many equal parts as threads. Thread-safe. */
record ThreadMemory(ScratchMemory.@Nullable Block memory, ConcurrentLinkedQueue<Long> free) {
  private static final ThreadMemory NONE = new ThreadMemory(null, new ConcurrentLinkedQueue<>());

  static ThreadMemory of(@Nullable VmContext context, long bytes, int threads) {
    if (bytes == 0) {
      return NONE;
    }
    ConcurrentLinkedQueue<Long> free = new ConcurrentLinkedQueue<>();
    ScratchMemory.Block block = ScratchMemory.of(context).take(bytes * threads);
    for (int i = 0; i < threads; i++) {
      free.add(block.memory().address() + i * bytes);
    }
    return new ThreadMemory(block, free);
  }

  /** The address of a part for the caller alone; 0 where none is needed. */
  long take() {
    if (memory == null) {
      return 0;
    }
    Long part = free.poll();
    if (part == null) {
      throw new IllegalStateException("more threads compute a product than its pool has");
    }
    return part;
  }

  void give(long part) {
    if (memory != null) {
      free.add(part);
    }
  }

  void release() {
    if (memory != null) {
      memory.release();
    }
  }
}
