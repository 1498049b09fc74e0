package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashSet;
import java.util.Set;

/** Class loaders that nothing should refer to any more. */
final class DroppedLoaders {
  private static final int MAX_COLLECTIONS = 50;
  private static final long PAUSE_MILLIS = 100;

  private final ReferenceQueue<ClassLoader> unloaded = new ReferenceQueue<>();
  private final Set<Reference<?>> waitedFor = new HashSet<>();

  void add(ClassLoader loader) {
    waitedFor.add(new PhantomReference<>(loader, unloaded));
  }

  /** Collects garbage until all loaders are gone, and fails when some never are. */
  void awaitAll() throws InterruptedException {
    awaitAllBut(0);
  }

  /** As {@link #awaitAll}, but some may stay. */
  void awaitAllBut(int kept) throws InterruptedException {
    int all = waitedFor.size();
    for (int i = 0; i < MAX_COLLECTIONS && waitedFor.size() > kept; i++) {
      System.gc();
      Reference<?> gone = unloaded.remove(PAUSE_MILLIS);
      while (gone != null) {
        waitedFor.remove(gone);
        gone = unloaded.poll();
      }
    }
    assertThat(waitedFor)
        .as("class loaders of %d that are still referred to", all)
        .hasSizeLessThanOrEqualTo(kept);
  }
}
