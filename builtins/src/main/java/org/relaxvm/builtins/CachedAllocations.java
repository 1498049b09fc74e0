package org.relaxvm.builtins;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;

/**
 * Memory that a program allocates once and uses in every call. Each thread has its own, since two
 * calls at once must not write into the same memory; that of a thread that has ended is given back
 * when another thread allocates, everything when the VM closes.
 *
 * <p>Thread-safe.
 */
final class CachedAllocations implements AutoCloseable {
  private final Map<Thread, Map<Long, @Nullable Object>> allocations = new HashMap<>();

  /**
   * Sets {@code result} to what the calling thread has under {@code index}; the cache stays an
   * owner.
   *
   * @param allocate makes it when there is none yet
   */
  void find(long index, Consumer<CallResult> allocate, CallResult result) {
    // The map of a thread is only used by that thread, so allocating needs no lock.
    Map<Long, @Nullable Object> mine = ofCurrentThread();
    if (!mine.containsKey(index)) {
      CallResult made = new CallResult();
      try {
        allocate.accept(made);
        Object value = made.ref();
        mine.put(index, value instanceof ScalarTag tag ? tag.box(made.bits()) : value);
        made.takeRef(); // the map is the owner now
      } finally {
        made.setNull();
      }
    }
    Object cached = mine.get(index);
    Managed.retain(cached);
    result.set(cached);
  }

  private synchronized Map<Long, @Nullable Object> ofCurrentThread() {
    Map<Long, @Nullable Object> mine = allocations.get(Thread.currentThread());
    if (mine == null) {
      Iterator<Map.Entry<Thread, Map<Long, @Nullable Object>>> entries =
          allocations.entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<Thread, Map<Long, @Nullable Object>> entry = entries.next();
        if (!entry.getKey().isAlive()) {
          entry.getValue().values().forEach(Managed::release);
          entries.remove();
        }
      }
      mine = new HashMap<>();
      allocations.put(Thread.currentThread(), mine);
    }
    return mine;
  }

  @Override
  public synchronized void close() {
    for (Map<Long, @Nullable Object> ofThread : allocations.values()) {
      ofThread.values().forEach(Managed::release);
    }
    allocations.clear();
  }
}
