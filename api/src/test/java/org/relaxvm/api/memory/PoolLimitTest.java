package org.relaxvm.api.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.Storage;
import org.relaxvm.api.spi.AllocatorStats;

/** What a pool keeps while sizes change, and that it keeps enough while they do not. */
class PoolLimitTest {
  private static final long GIB = 1L << 30;
  private static final long TIB = 1L << 40;

  private final RecordingDevice device = new RecordingDevice(Long.MAX_VALUE / 2);
  private final PooledAllocator pool = new PooledAllocator(device);
  private final org.relaxvm.api.spi.Stream stream = device.openStream();
  private long peakLive;

  static LongStream seeds() {
    long given = Long.getLong("relaxvm.seed", System.nanoTime());
    return LongStream.range(given, given + 10);
  }

  private Storage allocate(PooledAllocator from, long byteSize) {
    Storage storage = from.allocate(byteSize, 64, "", stream);
    AllocatorStats stats = from.stats();
    peakLive = Math.max(peakLive, stats.liveBytes());
    assertThat(stats.reservedBytes())
        .as("bytes held, with a peak of %d in use", peakLive)
        .isLessThanOrEqualTo(Math.max(16 << 20, 4 * peakLive))
        .isLessThanOrEqualTo(stats.budgetBytes());
    assertThat(device.used()).isEqualTo(stats.reservedBytes());
    return storage;
  }

  /** Allocates random sizes between 1 KB and 2 GB with up to {@code most} in use at once. */
  private void useRandomly(PooledAllocator from, Random random, int most, int count) {
    List<Storage> live = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      while (!live.isEmpty() && live.size() >= 1 + random.nextInt(most)) {
        live.remove(random.nextInt(live.size())).close();
      }
      live.add(allocate(from, (long) Math.exp(7 + 14.4 * random.nextDouble())));
    }
    live.forEach(Storage::close);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomSizesHoldFourTimesThePeakInUseAtMost(long seed) {
    for (int most : new int[] {1, 2, 5, 30}) {
      useRandomly(pool, new Random(seed), most, 2000);
    }
    assertThat(pool.stats().allocations()).isEqualTo(8000);
    assertThat(pool.stats().deviceAllocations()).isLessThan(2000);
    pool.trim();
    assertThat(pool.stats().reservedBytes()).isZero();
    assertThat(device.used()).isZero();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aBudgetHoldsUnderRandomSizes(long seed) {
    PooledAllocator limited =
        new PooledAllocator(device, AllocatorOptions.DEFAULT.withBudget(3 * GIB));
    useRandomly(limited, new Random(seed), 1, 2000);
    assertThat(limited.stats().peakReservedBytes()).isLessThanOrEqualTo(3 * GIB);
    limited.trim();
    assertThat(device.used()).isZero();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aFixedWorkingSetSoonAsksTheDeviceNoMore(long seed) {
    Random random = new Random(seed);
    long[] sizes = random.longs(300, 1000, 100_000_000).map(n -> n >> random.nextInt(12)).toArray();
    int[] lives = random.ints(300, 1, 20).toArray();
    for (int call = 0; call < 40; call++) {
      call(sizes, lives);
    }
    long before = pool.stats().deviceAllocations();
    device.log.clear();
    for (int call = 0; call < 10; call++) {
      call(sizes, lives);
    }
    assertThat(pool.stats().deviceAllocations()).isEqualTo(before);
    assertThat(device.log).isEmpty();
  }

  /** Allocates all sizes, each of which is given back a number of allocations later. */
  private void call(long[] sizes, int[] lives) {
    List<List<Storage>> ends = new ArrayList<>(Collections.nCopies(sizes.length + 20, List.of()));
    for (int i = 0; i < sizes.length; i++) {
      ends.get(i).forEach(Storage::close);
      List<Storage> end = new ArrayList<>(ends.get(i + lives[i]));
      end.add(allocate(pool, sizes[i]));
      ends.set(i + lives[i], end);
    }
    ends.subList(sizes.length, ends.size()).forEach(end -> end.forEach(Storage::close));
  }

  @Test
  void sizesThatGrowShareOneBlock() {
    for (long size = GIB; size < 2 * GIB; size += GIB / 100) {
      allocate(pool, size).close();
    }
    assertThat(pool.stats().peakReservedBytes()).isLessThan(5 * GIB);
    assertThat(pool.stats().deviceAllocations()).isEqualTo(9);
  }

  @Test
  void sizesThatWereUsedLongestAgoGoBackFirst() {
    // Each phase is in use up to the peak with blocks that are too small for the next.
    List<String> freed = new ArrayList<>();
    for (int phase = 0; phase < 5; phase++) {
      long blockBytes = GIB >> (2 * phase);
      device.log.clear();
      ArrayDeque<Storage> live = new ArrayDeque<>();
      for (long bytes = 0; bytes < GIB; bytes += blockBytes) {
        live.add(allocate(pool, blockBytes));
      }
      live.forEach(Storage::close);
      device.log.stream().filter(line -> line.startsWith("free")).distinct().forEach(freed::add);
    }
    assertThat(freed).containsExactly("free " + GIB);
    assertThat(pool.stats().reservedBytes()).isEqualTo(4 * GIB);
  }

  @Test
  void aPeakOfLongAgoIsForgotten() {
    allocate(pool, TIB).close();
    assertThat(pool.stats().idleBytes()).isEqualTo(TIB);
    // Twice the window of device allocations, none of which the block could serve.
    Storage[] small = new Storage[2 * PoolLimit.WINDOW];
    for (int i = 0; i < small.length; i++) {
      small[i] = allocate(pool, 1 << 20);
    }
    assertThat(device.log).contains("free " + TIB);
    assertThat(pool.stats().idleBytes()).isZero();
    Stream.of(small).forEach(Storage::close);
  }
}
