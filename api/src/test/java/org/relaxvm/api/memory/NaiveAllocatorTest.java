package org.relaxvm.api.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Stream;

class NaiveAllocatorTest {
  private final RecordingDevice device = new RecordingDevice(10_000);
  private final Stream stream = device.openStream();

  @Test
  void everyAllocationReachesTheDeviceWithItsExactSize() {
    NaiveAllocator naive = new NaiveAllocator(device);
    naive.allocate(1, 64, "", stream).close();
    naive.allocate(0, 64, "texture", stream).close();
    assertThat(device.log)
        .containsExactly(
            "allocate 1",
            "record 1",
            "await 1",
            "close event 1",
            "free 1",
            "allocate 0 texture",
            "record 1",
            "await 1",
            "close event 1",
            "free 0");
  }

  @Test
  void statisticsCountWhatIsInUse() {
    NaiveAllocator naive = new NaiveAllocator(device);
    Storage held = naive.allocate(100, 64, "", stream);
    naive.allocate(50, 64, "", stream).close();
    assertThat(naive.stats()).isEqualTo(new AllocatorStats(100, 100, 150, Long.MAX_VALUE, 2, 2, 1));
    held.close();
    assertThat(naive.stats().reservedBytes()).isZero();
  }

  @Test
  void theBudgetIsKept() {
    NaiveAllocator naive = new NaiveAllocator(device, AllocatorOptions.DEFAULT.withBudget(100));
    try (Storage held = naive.allocate(60, 64, "", stream)) {
      assertThat(held.byteSize()).isEqualTo(60);
      assertThatThrownBy(() -> naive.allocate(41, 64, "", stream))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessage(
              "out of memory on fake:0: requested 41 bytes with 60 bytes in use, 0 "
                  + "idle and a budget of 100\n"
                  + "  what to do: raise the memory budget, close results that are no "
                  + "longer needed, or use smaller inputs");
    }
    naive.allocate(100, 64, "", stream).close();
  }

  @Test
  void aClosedAllocatorTakesBlocksBackButGivesNone() {
    NaiveAllocator naive = new NaiveAllocator(device);
    Storage held = naive.allocate(100, 64, "", stream);
    naive.close();
    held.close();
    assertThat(device.used()).isZero();
    assertThatThrownBy(() -> naive.allocate(1, 64, "", stream))
        .hasMessage("the allocator of fake:0 is closed: it hands out no memory");
  }
}
