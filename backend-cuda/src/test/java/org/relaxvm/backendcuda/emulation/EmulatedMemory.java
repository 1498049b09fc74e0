package org.relaxvm.backendcuda.emulation;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.backendcuda.driver.CudaStatusException;

/**
 * The memory of a device: blocks of the host, with bytes around them that nobody should write.
 * Thread-safe.
 */
final class EmulatedMemory {
  private static final int ALIGNMENT = 256;
  private static final long GUARD = 4096;
  private static final byte PATTERN = (byte) 0xA5;
  private static final int OUT_OF_MEMORY = 2;
  private static final int INVALID_VALUE = 1;

  private final long total;
  private final AtomicLong used = new AtomicLong();
  private final Map<Long, Block> blocks = new ConcurrentSkipListMap<>();

  private record Block(Arena arena, MemorySegment all, long byteSize) {}

  EmulatedMemory(long total) {
    this.total = total;
  }

  long total() {
    return total;
  }

  long free() {
    return total - used.get();
  }

  long allocate(String call, long byteSize) {
    if (used.addAndGet(byteSize) > total) {
      used.addAndGet(-byteSize);
      throw new CudaStatusException(call, OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY");
    }
    Arena arena = Arena.ofShared();
    MemorySegment all = arena.allocate(byteSize + 2 * GUARD, ALIGNMENT);
    // A content that shows where it is used though it is undefined.
    all.fill(PATTERN);
    long address = all.address() + GUARD;
    blocks.put(address, new Block(arena, all, byteSize));
    return address;
  }

  void free(String call, long address) {
    Block block = blocks.remove(address);
    if (block == null) {
      throw new CudaStatusException(call, INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE");
    }
    used.addAndGet(-block.byteSize());
    requireUntouched(block, 0);
    requireUntouched(block, GUARD + block.byteSize());
    block.arena().close();
  }

  private static void requireUntouched(Block block, long from) {
    MemorySegment guard = block.all().asSlice(from, GUARD);
    for (long i = 0; i < GUARD; i++) {
      if (guard.get(JAVA_BYTE, i) != PATTERN) {
        throw new AssertionError(
            "a kernel wrote beyond a block of "
                + block.byteSize()
                + " bytes, at byte "
                + (from + i - GUARD));
      }
    }
  }

  /** Bytes of blocks that are not freed. */
  long used() {
    return used.get();
  }

  int count() {
    return blocks.size();
  }

  @SuppressWarnings("restricted")
  static MemorySegment at(long address, long byteSize) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize);
  }
}
