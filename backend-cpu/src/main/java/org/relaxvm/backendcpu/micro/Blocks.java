package org.relaxvm.backendcpu.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/** Keeps blocks of arguments between calls, a few for each processor. Thread-safe. */
final class Blocks {
  private static final long BYTES = 512;
  private static final int ALIGNMENT = 64;

  private static final class Once {
    static final Blocks ALL = new Blocks();

    private Once() {}
  }

  private final AtomicReferenceArray<@Nullable Block> kept =
      new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());

  private Blocks() {}

  static Blocks all() {
    return Once.ALL;
  }

  /** A block for the caller alone, all zeros or with the values of an earlier call. */
  Block take() {
    for (int i = 0; i < kept.length(); i++) {
      Block block = kept.get(i) == null ? null : kept.getAndSet(i, null);
      if (block != null) {
        return block;
      }
    }
    MemorySegment memory = Arena.ofAuto().allocate(BYTES, ALIGNMENT);
    return new Block(memory, memory.address());
  }

  /** Takes a block back; drops it where enough are kept. */
  void give(Block block) {
    for (int i = 0; i < kept.length(); i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, block)) {
        return;
      }
    }
  }

  /**
   * A block of arguments: one kind of function at a time.
   *
   * @param memory keeps the address valid
   */
  record Block(MemorySegment memory, long address) {
    void set(BlockField field, long value) {
      ProcessMemory.ALL.set(
          ValueLayout.JAVA_LONG, ProcessMemory.known(address + field.offset()), value);
    }

    void set(PackField field, long value) {
      ProcessMemory.ALL.set(
          ValueLayout.JAVA_LONG, ProcessMemory.known(address + field.offset()), value);
    }

    void set(SkinnyField field, long value) {
      ProcessMemory.ALL.set(
          ValueLayout.JAVA_LONG, ProcessMemory.known(address + field.offset()), value);
    }

    void call(long code) {
      NativeCall.call(code, address);
      Reference.reachabilityFence(memory);
    }
  }
}
