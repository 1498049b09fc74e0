package org.relaxvm.interoptvm.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/**
 * Temporary memory of compiled code in one thread: blocks of whole pages that are kept for the next
 * request. When none of the kept ones is large enough, the largest goes back to the host and a new
 * one replaces it, so that a thread keeps about as many blocks as it used at once.
 *
 * <p>Source: docs/spec/vm-semantics.md, section 11.3. Confined to one thread; a block that its
 * thread did not free goes back when the thread is gone.
 */
final class Workspace {
  private static final long PAGE = 4096;

  private final List<Block> free = new ArrayList<>(); // smallest first
  private final List<Block> used = new ArrayList<>(); // latest last

  /**
   * The address of memory on a boundary of 64 bytes.
   *
   * @param bytes as an unsigned number
   */
  long allocate(long bytes) {
    if (bytes < 0 || bytes > Long.MAX_VALUE - PAGE) {
      throw new CallException(
          ErrorKind.MEMORY,
          "compiled code asks for "
              + Long.toUnsignedString(bytes)
              + " bytes of temporary memory: an extent of one of its arguments is negative");
    }
    long size = Math.max(PAGE, (bytes + PAGE - 1) & -PAGE);
    Block block = takeFree(size);
    if (block == null) {
      if (!free.isEmpty()) {
        free.removeLast().close();
      }
      block = Block.allocate(size);
    }
    used.add(block);
    return block.memory().address();
  }

  private @Nullable Block takeFree(long size) {
    for (int i = 0; i < free.size(); i++) {
      if (free.get(i).size() >= size) {
        return free.remove(i);
      }
    }
    return null;
  }

  /** Keeps a block for the next request. */
  void free(long address) {
    for (int i = used.size() - 1; i >= 0; i--) {
      if (used.get(i).memory().address() == address) {
        keep(used.remove(i));
        return;
      }
    }
    throw new CallException(
            ErrorKind.INTERNAL, "compiled code frees temporary memory that it did not allocate")
        .withTvmMessage("trying to free things that has not been allocated");
  }

  /** The number of blocks in use. */
  int inUse() {
    return used.size();
  }

  /** Frees what a call that failed left behind: all but the first blocks. */
  void freeDownTo(int count) {
    while (used.size() > count) {
      keep(used.removeLast());
    }
  }

  /** Gives all blocks back to the host, when the thread is gone. */
  void close() {
    freeDownTo(0);
    free.forEach(Block::close);
    free.clear();
  }

  private void keep(Block block) {
    int index = 0;
    while (index < free.size() && free.get(index).size() < block.size()) {
      index++;
    }
    free.add(index, block);
  }

  /** One block, which goes back to the host with its arena. */
  private record Block(MemorySegment memory, Arena arena) {
    static Block allocate(long size) {
      Arena arena = Arena.ofShared();
      try {
        return new Block(arena.allocate(size, HostDevice.ALIGNMENT), arena);
      } catch (OutOfMemoryError e) {
        arena.close();
        throw new CallException(
            ErrorKind.MEMORY,
            "the host has no " + size + " bytes of temporary memory for compiled code",
            e);
      }
    }

    long size() {
      return memory.byteSize();
    }

    void close() {
      arena.close();
    }
  }
}
