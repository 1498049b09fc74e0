package org.relaxvm.backendcpu.codegen;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.rewrite.StructuralHash;

/**
 * Keeps what kernels became for other kernels of the same structure, as long as there is memory.
 * Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How do kernels of one structure share code?"
 *
 * @param <T> what a kernel becomes
 */
final class KernelCache<T> {
  /** A kernel by what it does. */
  private static final class Key {
    private final PrimFunc function;
    private final int hash;

    Key(PrimFunc function) {
      this.function = function;
      this.hash = StructuralHash.of(function);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && hash == key.hash
          && StructuralEquality.areEqual(function, key.function);
    }
  }

  /** A value that knows where it is kept, so that it can go when the memory is needed. */
  private static final class Kept<T> extends SoftReference<T> {
    private final Key key;

    private Kept(Key key, T value, ReferenceQueue<T> gone) {
      super(value, gone);
      this.key = key;
    }
  }

  private final ConcurrentHashMap<Key, Kept<T>> kept = new ConcurrentHashMap<>();
  private final ReferenceQueue<T> gone = new ReferenceQueue<>();

  /**
   * What a kernel became, or becomes now. Two threads may both make it; one is kept.
   *
   * @param keeps whether something may serve kernels whose variables and buffers have other names
   */
  T get(PrimFunc function, Function<PrimFunc, T> make, Predicate<T> keeps) {
    Key key = new Key(function);
    Kept<T> known = kept.get(key);
    T value = known == null ? null : known.get();
    if (value == null) {
      value = make.apply(function);
      if (keeps.test(value)) {
        kept.put(key, new Kept<>(key, value, gone));
      }
      forgetTheGone();
    }
    return value;
  }

  private void forgetTheGone() {
    for (Reference<? extends T> old = gone.poll(); old != null; old = gone.poll()) {
      kept.remove(((Kept<?>) old).key, old);
    }
  }

  /** How many there are. */
  int size() {
    return kept.size();
  }
}
