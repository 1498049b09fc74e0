package org.relaxvm.backendcpu.vector.gemm;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * Keeps scratch memory between calls, for a caller and its threads: twice as many as there are
 * processors. Thread-safe.
 *
 * @param <A> the array type
 */
final class ScratchPool<A> {
  private final Tile<A> tile;
  private final AtomicReferenceArray<@Nullable Scratch<A>> kept =
      new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());

  ScratchPool(Tile<A> tile) {
    this.tile = tile;
  }

  /** Scratch memory for the caller alone. */
  Scratch<A> take() {
    for (int i = 0; i < kept.length(); i++) {
      Scratch<A> scratch = kept.get(i) == null ? null : kept.getAndSet(i, null);
      if (scratch != null) {
        return scratch;
      }
    }
    return new Scratch<>(tile);
  }

  /** Takes it back; drops it where enough is kept. */
  void give(Scratch<A> scratch) {
    for (int i = 0; i < kept.length(); i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, scratch)) {
        return;
      }
    }
  }
}
