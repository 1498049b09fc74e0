package org.relaxvm.backendcpu.invocation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Storage;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcpu.vector.NativeMemory;

/**
 * Allocates the temporary buffers of kernels from the host allocator of the call: its budget counts
 * them, it keeps them for the next call, and its {@code trim()} releases them. A call without a
 * context takes memory that the garbage collector frees. Thread-safe.
 *
 * @param allocator of the host; null without a context
 * @param stream of the call on the host; null without a context
 */
public record ScratchMemory(@Nullable Allocator allocator, @Nullable Stream stream) {
  private static final ScratchMemory COLLECTED = new ScratchMemory(null, null);

  /** The memory of a call; called by its own thread. */
  public static ScratchMemory of(@Nullable VmContext context) {
    return context == null
        ? COLLECTED
        : new ScratchMemory(context.allocator(-1), context.stream(-1));
  }

  /**
   * A block of at least so many bytes, whose content is undefined.
   *
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException if the budget or the host refuses
   */
  public Block take(long bytes) {
    if (allocator == null || stream == null) {
      return collected(bytes);
    }
    Storage storage = allocator.allocate(bytes, HostDevice.ALIGNMENT, "", stream);
    MemorySegment memory = HostDevice.segmentOf(storage.memory());
    if (NativeMemory.holds(memory)) {
      return new Block(memory, storage);
    }
    // An allocator of the user's own; code that works by address needs native memory.
    storage.release();
    return collected(bytes);
  }

  private static Block collected(long bytes) {
    return new Block(HostDevice.allocateNative(Arena.ofAuto(), bytes, HostDevice.ALIGNMENT), null);
  }

  /** Memory, until it is released. */
  public record Block(MemorySegment memory, @Nullable Storage storage) {
    /** Returns the memory; it must not be used any more. */
    public void release() {
      if (storage != null) {
        storage.release();
      }
    }
  }
}
