package org.relaxvm.builtins.graph;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Managed;
import org.relaxvm.api.ScalarTag;

/**
 * Memory that a program allocates once and uses in every call, apart for each thread. Thread-safe.
 */
final class CachedAllocations implements AutoCloseable {
  private final PerThread<Long, @Nullable Object> allocations = new PerThread<>(Managed::release);

  /**
   * Sets {@code result} to what the calling thread has under {@code index}; the cache stays an
   * owner.
   *
   * @param allocate makes it when there is none yet
   */
  void find(long index, Consumer<CallResult> allocate, CallResult result) {
    Map<Long, @Nullable Object> mine = allocations.ofCurrentThread();
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

  @Override
  public void close() {
    allocations.close();
  }
}
