package org.relaxvm.backendcpu.kernel.attention;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Keeps arrays between calls, for as many threads as there are processors: to make them costs a
 * tenth of a call, and threads that make many wait for each other. Thread-safe.
 */
final class PanelScratchPool {
  /** More than that is not kept: 4 MiB for a thread. */
  private static final long MOST_ELEMENTS = 1 << 20;

  private final AtomicReferenceArray<@Nullable PanelScratch> kept =
      new AtomicReferenceArray<>(Runtime.getRuntime().availableProcessors());

  /** Arrays for the caller alone. */
  PanelScratch take(PanelScratch.Size size) {
    for (int i = 0; i < kept.length(); i++) {
      PanelScratch seen = kept.get(i);
      if (seen != null && seen.size.equals(size) && kept.compareAndSet(i, seen, null)) {
        return seen;
      }
    }
    return new PanelScratch(size);
  }

  /** Takes them back, in place of those of another size where it must be. */
  void give(PanelScratch scratch) {
    if (scratch.size.elements() > MOST_ELEMENTS) {
      return;
    }
    for (int i = 0; i < kept.length(); i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, scratch)) {
        return;
      }
    }
    for (int i = 0; i < kept.length(); i++) {
      PanelScratch seen = kept.get(i);
      if (seen != null && !seen.size.equals(scratch.size)) {
        kept.compareAndSet(i, seen, scratch);
        return;
      }
    }
  }
}
