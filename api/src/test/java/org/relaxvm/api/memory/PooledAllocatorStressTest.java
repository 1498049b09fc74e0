package org.relaxvm.api.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Storage;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Stream;

/** Many threads at once: no block may be in two hands, and nothing may get lost. */
class PooledAllocatorStressTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 20_000;

  @Test
  void noBlockIsHandedOutTwiceAndTheCountersAddUp()
      throws InterruptedException, ExecutionException {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("PooledAllocatorStressTest: -Drelaxvm.seed=" + seed);
    PooledAllocator pool = new PooledAllocator(HostDevice.INSTANCE);
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long mark = thread + 1L;
        futures.add(executor.submit(() -> allocateAndCheck(pool, mark, new Random(seed + mark))));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
    assertThat(pool.stats().allocations()).isEqualTo((long) THREADS * ROUNDS);
    assertThat(pool.stats().liveBlocks()).isZero();
    assertThat(pool.stats().liveBytes()).isZero();
    assertThat(pool.stats().deviceAllocations()).isLessThan((long) THREADS * ROUNDS / 10);
    pool.close();
    assertThat(pool.stats().reservedBytes()).isZero();
  }

  private static void allocateAndCheck(PooledAllocator pool, long mark, Random random) {
    Stream stream = HostDevice.INSTANCE.openStream();
    Storage[] held = new Storage[4];
    for (int round = 0; round < ROUNDS; round++) {
      int slot = random.nextInt(held.length);
      release(held[slot], mark);
      if (mark == 1 && round % 5000 == 0) {
        pool.trim();
      }
      held[slot] = pool.allocate(8 + random.nextInt(20_000), 64, "", stream);
      firstWord(held[slot], mark);
    }
    for (Storage storage : held) {
      release(storage, mark);
    }
  }

  private static void firstWord(Storage storage, long mark) {
    MemorySegment segment = HostDevice.segmentOf(storage.memory());
    segment.set(ValueLayout.JAVA_LONG, 0, mark);
  }

  private static void release(Storage storage, long mark) {
    if (storage != null) {
      long found = HostDevice.segmentOf(storage.memory()).get(ValueLayout.JAVA_LONG, 0);
      if (found != mark) {
        throw new AssertionError("the block of thread " + mark + " was used by thread " + found);
      }
      storage.close();
    }
  }
}
