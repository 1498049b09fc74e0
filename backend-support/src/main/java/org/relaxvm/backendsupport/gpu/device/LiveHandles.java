package org.relaxvm.backendsupport.gpu.device;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the native handles that were created and not released. Thread-safe.
 *
 * @param <K> the kinds of handles of a driver
 */
public final class LiveHandles<K extends Enum<K>> {
  private final Class<K> type;
  private final AtomicLongArray counts;

  /** Counts of zero. */
  public LiveHandles(Class<K> type) {
    this.type = type;
    this.counts = new AtomicLongArray(type.getEnumConstants().length);
  }

  /** Counts a handle that was created. */
  public void made(K kind) {
    counts.incrementAndGet(kind.ordinal());
  }

  /** Counts a handle that was released. */
  public void released(K kind) {
    counts.decrementAndGet(kind.ordinal());
  }

  /** The counts that are not zero. */
  public Map<K, Long> counts() {
    Map<K, Long> live = new EnumMap<>(type);
    for (K kind : type.getEnumConstants()) {
      long count = counts.get(kind.ordinal());
      if (count != 0) {
        live.put(kind, count);
      }
    }
    return live;
  }
}
