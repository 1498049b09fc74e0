package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.AllocatorOptions;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.HostMemory;

/** Blocks of a device, directly and through the allocators of the API. */
public abstract class BaseAllocatorConformanceTest extends BaseConformanceTest {
  private static final long[] SIZES = {0, 1, 3, 63, 64, 65, 4095, 4097, 100_000, 1 << 20};

  @Test
  void blocksHaveAtLeastTheSizeAskedFor() {
    for (long size : SIZES) {
      DeviceMemory block = device().allocate(size, 1, "");
      assertThat(block.byteSize()).as("block of %d bytes", size).isGreaterThanOrEqualTo(size);
      device().free(block);
    }
  }

  @Test
  void blocksAreHostMemoryOnTheHostOnly() {
    DeviceMemory block = device().allocate(16, 1, "");
    assertThat(block instanceof HostMemory).isEqualTo(can(Capability.HOST_MEMORY));
    device().free(block);
  }

  @Test
  void alignmentsUpToAPageAreGiven() {
    long least = device().properties().minAlignment();
    for (long alignment = 1; alignment <= 4096; alignment *= 2) {
      DeviceMemory block = device().allocate(100, alignment, "global");
      if (can(Capability.HOST_MEMORY)) {
        long address = HostDevice.segmentOf(block).address();
        assertThat(address % Math.max(alignment, least)).as("alignment %d", alignment).isZero();
      }
      device().free(block);
    }
  }

  @Test
  void sizesAndAlignmentsThatMakeNoSenseAreRefused() {
    refuses(() -> device().allocate(-1, 16, ""), "negative size");
    refuses(() -> device().allocate(16, 0, ""), "not a power of two");
    refuses(() -> device().allocate(16, 24, ""), "not a power of two");
  }

  @Test
  void aScopeThatTheDeviceLacksIsRefusedByName() {
    refuses(() -> device().allocate(16, 16, "conformance.none"), "conformance.none");
  }

  @Test
  void moreMemoryThanThereIsIsRefusedAndTheDeviceStaysUsable() {
    assertThatThrownBy(() -> device().allocate(1L << 60, 64, ""))
        .isInstanceOfSatisfying(
            DeviceOutOfMemoryException.class,
            e -> {
              assertThat(e.requestedBytes()).isEqualTo(1L << 60);
              assertThat(e.kind()).isEqualTo(ErrorKind.MEMORY);
            });
    device().free(device().allocate(64, 64, ""));
  }

  @Test
  void allocatorsServeEverySizeAndTakeItBack() {
    forBoth(
        allocator -> {
          for (long size : SIZES) {
            Storage storage = allocator.allocate(size, 64, "", session().stream());
            assertThat(storage.byteSize()).isGreaterThanOrEqualTo(size);
            assertThat(storage.memory().byteSize()).isGreaterThanOrEqualTo(storage.byteSize());
            assertThat(storage.device()).isEqualTo(device());
            assertThat(allocator.stats().liveBlocks()).isOne();
            storage.close();
          }
          assertThat(allocator.stats().liveBlocks()).isZero();
          assertThat(allocator.stats().liveBytes()).isZero();
          assertThat(allocator.stats().allocations()).isEqualTo(SIZES.length);
        });
  }

  @Test
  void trimGivesAllIdleBlocksBack() {
    forBoth(
        allocator -> {
          Storage kept = allocator.allocate(5000, 64, "", session().stream());
          allocator.allocate(5000, 64, "", session().stream()).close();
          allocator.trim();
          assertThat(allocator.stats().reservedBytes()).isEqualTo(kept.byteSize());
          kept.close();
          allocator.trim();
          assertThat(allocator.stats().reservedBytes()).isZero();
          requireNothingLive();
        });
  }

  @Test
  void aBudgetRefusesAndRecovers() {
    AllocatorOptions options = AllocatorOptions.DEFAULT.withBudget(10_000);
    for (Allocator allocator :
        List.of(new NaiveAllocator(device(), options), new PooledAllocator(device(), options))) {
      try (allocator) {
        Storage held = allocator.allocate(8000, 64, "", session().stream());
        assertThatThrownBy(() -> allocator.allocate(8000, 64, "", session().stream()))
            .isInstanceOf(DeviceOutOfMemoryException.class)
            .hasMessageContaining("a budget of 10000");
        held.close();
        allocator.allocate(8000, 64, "", session().stream()).close();
      }
    }
    requireNothingLive();
  }

  @Test
  void aClosedAllocatorRefusesAndTakesItsBlocksBack() {
    forBoth(
        allocator -> {
          Storage late = allocator.allocate(100, 64, "", session().stream());
          allocator.close();
          allocator.close();
          assertThatThrownBy(() -> allocator.allocate(1, 64, "", session().stream()))
              .isInstanceOf(BackendException.class)
              .hasMessage("the allocator of " + device() + " is closed: it hands out no memory");
          late.close();
          assertThat(allocator.stats().reservedBytes()).isZero();
          requireNothingLive();
        });
  }

  private void forBoth(Consumer<Allocator> check) {
    for (Allocator allocator :
        List.of(new NaiveAllocator(device()), new PooledAllocator(device()))) {
      try (allocator) {
        check.accept(allocator);
      }
    }
  }

  private void requireNothingLive() {
    var liveBytes = backendUnderTest().liveBytes();
    if (liveBytes != null) {
      assertThat(liveBytes.applyAsLong(device())).as("live bytes of %s", device()).isZero();
    }
  }

  private static void refuses(Runnable call, String part) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessageContaining(part);
  }
}
