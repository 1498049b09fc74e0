package org.relaxvm.interoptvm.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Native memory for calls that nest. */
class CallMemoryTest {
  private static final int ROUNDS = 5000;
  private static final int MORE_THAN_A_CHUNK = 1 << 14;

  private final CallMemory memory = new CallMemory();

  /** A thread that launches tasks runs one of them, which allocates while others look things up. */
  @Test
  @Timeout(60)
  void otherThreadsFindWhatWasThereWhileTheMemoryGrows() throws Exception {
    long known = memory.allocate(16);
    int chunk = memory.chunk();
    long top = memory.top();
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> search = other.submit(() -> search(known, done));
      try {
        for (int round = 0; round < ROUNDS; round++) {
          // Longer each time, so that a chunk is replaced by a longer one.
          memory.allocate(MORE_THAN_A_CHUNK + 16L * round);
          memory.release(chunk, top);
        }
      } finally {
        done.set(true);
      }
      search.get();
    }
  }

  private void search(long known, AtomicBoolean done) {
    do {
      assertThat(memory.holds(known, 16)).isTrue();
      assertThat(memory.holds(16, 16)).isFalse();
    } while (!done.get());
  }

  @Test
  void whatReachesBeyondAChunkIsNotHeld() {
    long first = memory.allocate(16);
    assertThat(memory.holds(first, 8192)).isTrue();
    assertThat(memory.holds(first, 8193)).isFalse();
    assertThat(memory.holds(first - 1, 1)).isFalse();
  }
}
