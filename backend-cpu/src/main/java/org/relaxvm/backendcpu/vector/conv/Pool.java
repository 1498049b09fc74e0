package org.relaxvm.backendcpu.vector.conv;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps scratch memory between calls, for as many threads as there are processors. Thread-safe.
 *
 * @param <T> what one thread uses at a time
 */
public final class Pool<T> {
  private final Supplier<T> maker;
  private final AtomicReferenceArray<@Nullable T> kept =
      new AtomicReferenceArray<>(Runtime.getRuntime().availableProcessors());

  /** A pool that is empty at first. */
  public Pool(Supplier<T> maker) {
    this.maker = maker;
  }

  /** One for the caller alone. */
  public T take() {
    for (int i = 0; i < kept.length(); i++) {
      T one = kept.get(i) == null ? null : kept.getAndSet(i, null);
      if (one != null) {
        return one;
      }
    }
    return maker.get();
  }

  /** Takes it back; drops it where enough is kept. */
  public void give(T one) {
    for (int i = 0; i < kept.length(); i++) {
      if (kept.get(i) == null && kept.compareAndSet(i, null, one)) {
        return;
      }
    }
  }
}
