package org.relaxvm.api.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

class PooledAllocatorTest {
  private final RecordingDevice device = new RecordingDevice(1 << 20);
  private final PooledAllocator pool = new PooledAllocator(device);
  private final Stream stream = device.openStream();

  private Storage allocate(long byteSize) {
    return pool.allocate(byteSize, 64, "", stream);
  }

  @Test
  void sizesAreRoundedUpToPagesAndZeroStaysZero() {
    assertThat(allocate(0).byteSize()).isZero();
    assertThat(allocate(1).byteSize()).isEqualTo(4096);
    assertThat(allocate(4095).byteSize()).isEqualTo(4096);
    assertThat(allocate(4096).byteSize()).isEqualTo(4096);
    assertThat(allocate(4097).byteSize()).isEqualTo(8192);
    assertThat(device.log)
        .containsExactly(
            "allocate 0", "allocate 4096", "allocate 4096", "allocate 4096", "allocate 8192");
  }

  @Test
  void theBlockFreedLastIsReusedFirst() {
    Storage first = allocate(100);
    Storage second = allocate(200);
    DeviceMemory firstBlock = first.memory();
    DeviceMemory secondBlock = second.memory();
    first.close();
    second.close();
    assertThat(allocate(4000).memory()).isSameAs(secondBlock);
    assertThat(allocate(4000).memory()).isSameAs(firstBlock);
    assertThat(pool.stats().deviceAllocations()).isEqualTo(2);
  }

  @Test
  void aSmallerBlockIsNotReused() {
    allocate(4096).close();
    allocate(4097).close();
    assertThat(device.log).containsExactly("allocate 4096", "allocate 8192");
  }

  @Test
  void aBlockOfUpToTwiceTheSizeServesAndTheStorageSaysTheSizeAskedFor() {
    Storage large = allocate(20_480);
    DeviceMemory block = large.memory();
    large.close();
    device.log.clear();
    Storage tooSmall = allocate(8192);
    assertThat(device.log).containsExactly("allocate 8192");
    tooSmall.close();
    try (Storage half = allocate(10_240)) {
      assertThat(half.memory()).isSameAs(block);
      assertThat(half.byteSize()).isEqualTo(12_288);
      assertThat(pool.stats().liveBytes()).isEqualTo(20_480);
    }
    assertThat(allocate(20_480).memory()).isSameAs(block);
    assertThat(pool.stats().deviceAllocations()).isEqualTo(2);
  }

  @Test
  void aRefusalReleasesAllIdleBlocksAndIsRetriedOnce() {
    allocate(4096).close();
    allocate(512 << 10).close();
    device.log.clear();
    Storage large = allocate(1 << 20);
    assertThat(large.byteSize()).isEqualTo(1 << 20);
    assertThat(device.log)
        .containsExactly(
            "refuse 1048576",
            "record 1",
            "await 1",
            "close event 1",
            "free 4096",
            "record 1",
            "await 1",
            "close event 1",
            "free 524288",
            "allocate 1048576");
  }

  @Test
  void aSecondRefusalIsOutOfMemoryAndLeavesTheAllocatorUsable() {
    Storage held = allocate(4096);
    assertThatThrownBy(() -> allocate(1 << 20))
        .asInstanceOf(type(DeviceOutOfMemoryException.class))
        .satisfies(e -> assertThat(e.requestedBytes()).isEqualTo(1 << 20))
        .satisfies(e -> assertThat(e.kind()).isEqualTo(ErrorKind.MEMORY))
        .extracting(Throwable::getMessage)
        .isEqualTo(
            "out of memory on fake:0: requested 1048576 bytes with 4096 bytes in use, 0 idle and no"
                + " budget (the fake device is full)\n"
                + "  what to do: close results that are no longer needed, use smaller inputs, or"
                + " free memory of fake:0");
    held.close();
    allocate(1 << 20).close();
    assertThat(pool.stats().reservedBytes()).isEqualTo(1 << 20);
  }

  @Test
  void theBudgetCountsIdleBlocksAndReleasesThemFirst() {
    PooledAllocator limited =
        new PooledAllocator(device, AllocatorOptions.DEFAULT.withBudget(16_384));
    limited.allocate(12_288, 64, "", stream).close();
    Storage held = limited.allocate(4096, 64, "", stream);
    assertThat(limited.stats().reservedBytes()).isEqualTo(16_384);
    assertThat(limited.stats().idleBytes()).isEqualTo(12_288);
    limited.allocate(4096, 64, "", stream).close();
    assertThat(limited.stats().reservedBytes()).isEqualTo(8192);
    assertThatThrownBy(() -> limited.allocate(13_000, 64, "", stream))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "out of memory on fake:0: requested 13000 bytes with 4096 bytes in "
                + "use, 0 idle and a budget of 16384\n"
                + "  what to do: raise the memory budget, close results that are no "
                + "longer needed, or use smaller inputs");
    held.close();
    assertThat(limited.stats().peakReservedBytes()).isEqualTo(16_384);
    assertThat(limited.stats().budgetBytes()).isEqualTo(16_384);
  }

  @Test
  void theBudgetTakesBackNoMoreThanItNeeds() {
    PooledAllocator limited =
        new PooledAllocator(device, AllocatorOptions.DEFAULT.withBudget(24_576));
    limited.allocate(4096, 64, "", stream).close();
    limited.allocate(12_288, 64, "", stream).close();
    device.log.clear();
    limited.allocate(16_384, 64, "", stream).close();
    assertThat(device.log)
        .containsExactly("record 1", "await 1", "close event 1", "free 12288", "allocate 16384");
    assertThat(limited.stats().idleBytes()).isEqualTo(20_480);
  }

  @Test
  void blocksThatTheDeviceRoundsUpAreCountedAndReusedAsTheyAre() {
    device.roundUpTo(10_000);
    Storage small = allocate(4096);
    assertThat(small.byteSize()).isEqualTo(4096);
    assertThat(pool.stats().reservedBytes()).isEqualTo(10_000);
    small.close();
    assertThat(allocate(8192).memory()).isSameAs(small.memory());
    assertThat(pool.stats().liveBlocks()).isOne();
    NaiveAllocator naive = new NaiveAllocator(device);
    Storage exact = naive.allocate(4096, 64, "", stream);
    assertThat(naive.stats().idleBytes()).isZero();
    exact.close();
    assertThat(naive.stats().reservedBytes()).isZero();
    assertThat(naive.stats().liveBytes()).isZero();
  }

  @Test
  void aSizeThatNoMachineHasIsOutOfMemory() {
    assertThatThrownBy(() -> allocate(Long.MAX_VALUE))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageStartingWith("out of memory on fake:0: requested 9223372036854775807 bytes");
  }

  @Test
  void theSameStreamReusesItsOwnBlockWithoutWaiting() {
    Stream other = device.openStream();
    Storage mine = allocate(10);
    Storage theirs = pool.allocate(10, 64, "", other);
    DeviceMemory block = mine.memory();
    mine.close();
    theirs.close();
    device.log.clear();
    assertThat(allocate(10).memory()).isSameAs(block);
    assertThat(device.log).isEmpty();
  }

  @Test
  void anotherStreamWaitsForTheLastUser() {
    allocate(10).close();
    device.log.clear();
    pool.allocate(10, 64, "", device.openStream());
    assertThat(device.log).containsExactly("record 1", "2 waits for 1", "close event 1");
  }

  @Test
  void trimGivesIdleBlocksBackAndKeepsBlocksInUse() {
    Storage held = allocate(10);
    allocate(5000).close();
    pool.trim();
    assertThat(pool.stats())
        .isEqualTo(new AllocatorStats(4096, 4096, 12_288, Long.MAX_VALUE, 2, 2, 1));
    held.close();
    assertThat(pool.stats().liveBlocks()).isZero();
  }

  @Test
  void blocksOutstandingAtCloseGoBackAtTheirLastRelease() {
    Storage held = allocate(10);
    allocate(5000).close();
    pool.close();
    assertThat(device.used()).isEqualTo(4096);
    held.close();
    assertThat(device.used()).isZero();
    pool.close();
    assertThatThrownBy(() -> allocate(1))
        .isInstanceOf(BackendException.class)
        .hasMessage("the allocator of fake:0 is closed: it hands out no memory");
  }

  @Test
  void largeAlignmentsAreServedByTheDevice() {
    pool.allocate(100, 4096, "", stream).close();
    assertThat(device.log)
        .containsExactly("allocate 100", "record 1", "await 1", "close event 1", "free 100");
    assertThat(pool.stats().reservedBytes()).isZero();
  }

  @Test
  void otherScopesAreRefused() {
    assertThat(pool.allocate(1, 64, "global", stream).scope()).isEqualTo("global");
    assertThatThrownBy(() -> pool.allocate(1, 64, "texture", stream))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "memory scope 'texture' is not supported by the pooled allocator of "
                + "fake:0\n"
                + "  expected: global\n"
                + "  what to do: use the naive allocator");
  }

  @Test
  void malformedRequestsAreRefused() {
    assertThatThrownBy(() -> allocate(-1))
        .hasMessage("cannot allocate -1 bytes on fake:0: negative size");
    assertThatThrownBy(() -> pool.allocate(1, 3, "", stream))
        .hasMessage("cannot allocate on fake:0 with alignment 3: not a power of two");
    assertThatThrownBy(() -> AllocatorOptions.DEFAULT.withBudget(-1))
        .hasMessage("a memory budget must be 0 bytes or more, but is -1");
  }

  @Test
  void tensorsMayUseTheRoundedSizeAndNoMore() {
    Storage storage = allocate(10);
    Tensor.view(storage, 0, DType.FLOAT32, Shape.of(1024)).close();
    assertThatThrownBy(() -> Tensor.view(storage, 4, DType.FLOAT32, Shape.of(1024)))
        .hasMessage("a tensor of 4096 bytes at offset 4 does not fit a storage of 4096 " + "bytes");
  }

  @Test
  void hostBlocksAreAlignedToCacheLines() {
    try (PooledAllocator host = new PooledAllocator(HostDevice.INSTANCE)) {
      Stream hostStream = HostDevice.INSTANCE.openStream();
      for (long byteSize : new long[] {0, 1, 5000, 100_000}) {
        try (Storage storage = host.allocate(byteSize, 1, "", hostStream)) {
          assertThat(HostDevice.segmentOf(storage.memory()).address() % 64).isZero();
        }
      }
    }
  }

  @Test
  void aLostDeviceLosesNoBlocks() {
    allocate(100).close();
    allocate(100).close();
    allocate(5000).close();
    device.lose();
    Stream other = device.openStream();
    assertThatThrownBy(() -> pool.allocate(100, 64, "", other))
        .isInstanceOf(BackendException.class)
        .hasMessage("the fake device is lost");
    assertThat(pool.stats().liveBlocks()).isZero();
    assertThatThrownBy(pool::close).hasMessage("the fake device is lost");
    assertThat(device.used()).isZero();
    assertThat(pool.stats().reservedBytes()).isZero();
  }

  @Test
  void anUnexpectedFailureOfTheDeviceReservesNothing() {
    device.lose();
    assertThatThrownBy(() -> allocate(100)).hasMessage("the driver is gone");
    assertThat(pool.stats().reservedBytes()).isZero();
    assertThat(pool.stats().liveBlocks()).isZero();
  }
}
