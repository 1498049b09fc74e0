package org.relaxvm.interoptvm.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A stack of native memory for calls that nest: what is allocated is given back by returning to a
 * mark. Blocks never move. Confined to one thread; freed with it by the garbage collector.
 */
final class CallMemory {
  private static final long FIRST_CHUNK = 8192;
  private static final long ALIGNMENT = 16;

  private final List<MemorySegment> chunks = new ArrayList<>();
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

  /** Gives back all that was allocated since a mark. */
  void release(int markChunk, long markTop) {
    if (markChunk != chunk) {
      use(markChunk);
    }
    top = markTop;
  }

  /** Whether an address lies in memory of this stack. */
  boolean holds(long address) {
    for (MemorySegment memory : chunks) {
      if (address >= memory.address() && address < memory.address() + memory.byteSize()) {
        return true;
      }
    }
    return false;
  }

  private void nextChunk(long size) {
    int next = chunk + 1;
    while (next < chunks.size() && chunks.get(next).byteSize() < size) {
      // Nothing is in it: everything in use lies in chunks before.
      chunks.remove(next);
    }
    if (next == chunks.size()) {
      long bytes = Math.max(size, FIRST_CHUNK << Math.min(next, 10));
      chunks.add(Arena.ofAuto().allocate(bytes, ALIGNMENT));
    }
    use(next);
  }

  private void use(int number) {
    chunk = number;
    MemorySegment memory = chunks.get(number);
    top = memory.address();
    end = top + memory.byteSize();
  }
}
