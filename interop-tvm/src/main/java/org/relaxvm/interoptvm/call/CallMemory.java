package org.relaxvm.interoptvm.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A stack of native memory for calls that nest: what is allocated is released by returning to a
 * mark. Blocks never move. Freed with its thread by the garbage collector.
 *
 * <p>Confined to one thread, but for {@link #holds}: others may ask for what was allocated before
 * they began to.
 */
final class CallMemory {
  private static final long FIRST_CHUNK = 8192;
  private static final long ALIGNMENT = 16;

  // Never changed but replaced, for other threads read it.
  private volatile MemorySegment[] chunks = {};
  private int chunk = -1;
  private long top;
  private long end;

  CallMemory() {
    // Now, so that a call that returns to the start does not leave the chunk.
    nextChunk(0);
  }

  /** The address of fresh memory on a boundary of 16 bytes; content undefined. */
  long allocate(long bytes) {
    long size = (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    if (size > end - top) {
      nextChunk(size);
    }
    long address = top;
    top += size;
    return address;
  }

  /** Where the stack ends now: with {@link #chunk()} a mark to return to. */
  long top() {
    return top;
  }

  /** The number of the chunk where the stack ends now. */
  int chunk() {
    return chunk;
  }

  /** Releases all that was allocated since a mark. */
  void release(int markChunk, long markTop) {
    if (markChunk != chunk) {
      use(markChunk);
    }
    top = markTop;
  }

  /** Whether so many bytes from an address on lie in one chunk of this stack. */
  boolean holds(long address, long bytes) {
    for (MemorySegment memory : chunks) {
      long offset = address - memory.address();
      if (offset >= 0 && offset <= memory.byteSize() - bytes) {
        return true;
      }
    }
    return false;
  }

  private void nextChunk(long size) {
    int next = chunk + 1;
    int end = next;
    while (end < chunks.length && chunks[end].byteSize() < size) {
      end++;
    }
    if (end > next || next == chunks.length) {
      // Nothing is in those that are too small: everything in use lies in chunks before.
      List<MemorySegment> kept = new ArrayList<>(List.of(chunks));
      kept.subList(next, end).clear();
      if (next == kept.size()) {
        long bytes = Math.max(size, FIRST_CHUNK << Math.min(next, 10));
        kept.add(Arena.ofAuto().allocate(bytes, ALIGNMENT));
      }
      chunks = kept.toArray(MemorySegment[]::new);
    }
    use(next);
  }

  private void use(int number) {
    chunk = number;
    MemorySegment memory = chunks[number];
    top = memory.address();
    end = top + memory.byteSize();
  }
}
