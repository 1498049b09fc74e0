package org.relaxvm.backendvulkan.stream;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendvulkan.driver.DeviceCalls;

/**
 * Descriptor sets of one recording, all freed together when it is recorded over. Takes another pool
 * whenever one has no room left, and keeps it for the next time.
 *
 * <p>Used by one thread at a time.
 */
final class DescriptorArena {
  private static final int SETS = 64;
  private static final int BUFFERS_A_SET = 6;

  private final DeviceCalls calls;
  private final List<Pool> pools = new ArrayList<>();
  private int current;

  DescriptorArena(DeviceCalls calls) {
    this.calls = calls;
  }

  private static final class Pool {
    final long handle;
    final int buffers;
    int setsLeft;
    int buffersLeft;

    Pool(long handle, int buffers) {
      this.handle = handle;
      this.buffers = buffers;
      reset();
    }

    private void reset() {
      setsLeft = SETS;
      buffersLeft = buffers;
    }
  }

  /** A set of a layout with so many storage buffers. */
  long allocate(long setLayout, int storageBuffers) {
    while (current < pools.size()) {
      Pool pool = pools.get(current);
      if (pool.setsLeft > 0 && pool.buffersLeft >= storageBuffers) {
        pool.setsLeft--;
        pool.buffersLeft -= storageBuffers;
        return calls.allocateDescriptorSet(pool.handle, setLayout);
      }
      current++;
    }
    int buffers = Math.max(SETS * BUFFERS_A_SET, storageBuffers);
    pools.add(new Pool(calls.createDescriptorPool(SETS, buffers), buffers));
    return allocate(setLayout, storageBuffers);
  }

  /** Frees all sets. */
  void reset() {
    for (Pool pool : pools) {
      if (pool.setsLeft < SETS) {
        calls.resetDescriptorPool(pool.handle);
        pool.reset();
      }
    }
    current = 0;
  }

  void destroy() {
    pools.forEach(pool -> calls.destroyDescriptorPool(pool.handle));
    pools.clear();
  }
}
