package org.relaxvm.builtins.graph;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a program keeps for the life of a VM, apart for each thread: two calls at once must not use
 * the same memory. What a thread had that has ended is released when another one comes, everything
 * at the end.
 *
 * <p>Thread-safe; the map of a thread is used by that thread only.
 */
final class PerThread<K, V extends @Nullable Object> {
  private final Map<Thread, Map<K, V>> kept = new HashMap<>();
  private final Consumer<V> giveBack;

  PerThread(Consumer<V> giveBack) {
    this.giveBack = giveBack;
  }

  /** What the calling thread has. */
  synchronized Map<K, V> ofCurrentThread() {
    Map<K, V> mine = kept.get(Thread.currentThread());
    if (mine == null) {
      Iterator<Map.Entry<Thread, Map<K, V>>> entries = kept.entrySet().iterator();
      while (entries.hasNext()) {
        Map.Entry<Thread, Map<K, V>> entry = entries.next();
        if (!entry.getKey().isAlive()) {
          entry.getValue().values().forEach(giveBack);
          entries.remove();
        }
      }
      mine = new HashMap<>();
      kept.put(Thread.currentThread(), mine);
    }
    return mine;
  }

  synchronized void close() {
    for (Map<K, V> ofThread : kept.values()) {
      ofThread.values().forEach(giveBack);
    }
    kept.clear();
  }
}
