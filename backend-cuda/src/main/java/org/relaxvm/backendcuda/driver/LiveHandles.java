package org.relaxvm.backendcuda.driver;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts the handles that were made and not released. Thread-safe. */
final class LiveHandles {
  private static final HandleKind[] KINDS = HandleKind.values();

  private final AtomicLongArray counts = new AtomicLongArray(KINDS.length);

  void made(HandleKind kind) {
    counts.incrementAndGet(kind.ordinal());
  }

  void released(HandleKind kind) {
    counts.decrementAndGet(kind.ordinal());
  }

  Map<HandleKind, Long> counts() {
    Map<HandleKind, Long> live = new EnumMap<>(HandleKind.class);
    for (HandleKind kind : KINDS) {
      long count = counts.get(kind.ordinal());
      if (count != 0) {
        live.put(kind, count);
      }
    }
    return live;
  }
}
