package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.DeviceReport;

/** Blocks and copies: what the driver is asked for, and what comes of it. */
class CudaDeviceTest {
  private static final int CHUNK = 1 << 20;

  private final FakeBackend fake = new FakeBackend();
  private Backend backend;
  private CudaDevice device;

  @BeforeEach
  void open() {
    backend = fake.open();
    device = (CudaDevice) backend.devices().getFirst();
  }

  @AfterEach
  void nothingIsLeftOver() {
    assertThat(device.liveBytes()).isZero();
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  @Test
  void askingForDevicesMakesNothing() {
    assertThat(device.properties().details())
        .containsEntry("driver", "CUDA 12.6")
        .containsEntry("compute capability", "9.0")
        .containsEntry(DeviceProperties.UUID, "GPU-00000000-0000-0000")
        .containsEntry("shared memory", "48 KiB, 227 KiB at most");
    assertThat(device.properties().totalMemoryBytes()).isEqualTo(80L << 30);
    assertThat(fake.cuda.calls).containsExactly("driverVersion", "deviceCount", "report 0");
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  @Test
  void memoryComesFromThePoolInTheOrderOfAStreamOfItsOwn() {
    fake.cuda.calls.clear();
    DeviceMemory first = device.allocate(1000, 64, "");
    DeviceMemory second = device.allocate(2000, 64, "global");
    device.free(first);
    device.free(second);
    assertThat(fake.cuda.calls)
        .containsExactly(
            "retainContext 0",
            "createStream",
            "allocateInOrder 1000",
            "synchronize",
            "allocateInOrder 2000",
            "synchronize",
            "freeInOrder",
            "freeInOrder");
  }

  @Test
  void aPoolGivesBackToTheSystemWhatABlockLeavesWhenTheDeviceIsClosed() {
    device.free(device.allocate(1000, 64, ""));
    fake.cuda.calls.clear();
    backend.close();
    assertThat(fake.cuda.calls).containsExactly("synchronize");
  }

  @Test
  void withoutAPoolMemoryIsPlain() {
    DeviceReport with = fake.cuda.devices.getFirst();
    fake.cuda.devices =
        List.of(
            new DeviceReport(
                with.name(),
                with.uuid(),
                7,
                5,
                with.totalMemory(),
                with.multiprocessors(),
                32,
                1024,
                with.maxBlock(),
                new Axes(Integer.MAX_VALUE, 65535, 65535),
                48 << 10,
                64 << 10,
                4 << 20,
                false,
                false));
    try (Backend older = fake.open()) {
      fake.cuda.calls.clear();
      CudaDevice without = (CudaDevice) older.devices().getFirst();
      without.free(without.allocate(1000, 64, ""));
      assertThat(fake.cuda.calls).containsExactly("retainContext 0", "allocate 1000", "free");
      assertThat(without.properties().details())
          .containsEntry("memory pool", "no: blocks are taken one by one");
    }
  }

  @Test
  void blocksOfNoBytesAreOneByteForTheDriver() {
    fake.cuda.calls.clear();
    DeviceMemory none = device.allocate(0, 64, "");
    assertThat(none.byteSize()).isZero();
    assertThat(fake.cuda.calls).contains("allocateInOrder 1");
    device.free(none);
  }

  @Test
  void aLargerAlignmentThanTheDriversIsKept() {
    for (long alignment = 1; alignment <= 1 << 16; alignment *= 2) {
      CudaMemory block = (CudaMemory) device.allocate(100, alignment, "");
      assertThat(block.address() % Math.max(alignment, 256)).isZero();
      device.free(block);
    }
  }

  @Test
  void otherScopesAreRefused() {
    assertThatThrownBy(() -> device.allocate(16, 64, "global.texture"))
        .isInstanceOf(BackendException.class)
        .hasMessage("cuda:0 has no scope 'global.texture', only 'global'");
  }

  @Test
  void bytesGoToTheDeviceAndBack() {
    try (Stream stream = device.openStream();
        Arena arena = Arena.ofConfined()) {
      DeviceMemory block = device.allocate(3 * CHUNK, 64, "");
      MemorySegment source = numbers(arena, 2 * CHUNK + 40);
      device.copyIn(source, block, 24, stream);
      // What is given to a copy may be used again at once.
      MemorySegment small = MemorySegment.ofArray(new byte[] {1, 2, 3});
      device.copyIn(small, block, 0, stream);
      small.fill((byte) 9);
      device.copyWithin(block, 0, block, 8, 3, stream);
      MemorySegment target = arena.allocate(2 * CHUNK + 64);
      device.copyOut(block, 0, target, stream);
      assertThat(target.asSlice(0, 11).toArray(ValueLayout.JAVA_BYTE))
          .containsExactly(1, 2, 3, 0, 0, 0, 0, 0, 1, 2, 3);
      assertThat(target.asSlice(24, source.byteSize()).mismatch(source)).isEqualTo(-1);
      device.free(block);
    }
  }

  @Test
  void smallCopiesGoThroughPinnedMemoryAndLargeOnesDoNot() {
    try (Stream stream = device.openStream();
        Arena arena = Arena.ofConfined()) {
      DeviceMemory block = device.allocate(4L * CHUNK, 64, "");
      fake.cuda.calls.clear();
      device.copyIn(arena.allocate(100), block, 0, stream);
      device.copyIn(MemorySegment.ofArray(new byte[50]), block, 0, stream);
      device.copyIn(arena.allocate(CHUNK + 1), block, 0, stream);
      assertThat(fake.cuda.calls.stream().filter(call -> call.startsWith("copyIn")))
          .containsExactly(
              "copyIn 100 pinned", "copyIn 50 pinned", "copyIn " + (CHUNK + 1) + " pageable");
      assertThat(fake.cuda.calls).containsOnlyOnce("synchronize");
      device.free(block);
    }
  }

  @Test
  void slotsInPinnedMemoryAreUsedAgainOnlyWhenTheirCopiesAreDone() {
    int size = 300_000;
    int count = 40;
    try (Stream stream = device.openStream();
        Arena arena = Arena.ofConfined()) {
      DeviceMemory block = device.allocate((long) size * count, 64, "");
      for (int i = 0; i < count; i++) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) i);
        device.copyIn(MemorySegment.ofArray(bytes), block, (long) i * size, stream);
      }
      MemorySegment all = arena.allocate((long) size * count);
      device.copyOut(block, 0, all, stream);
      for (int i = 0; i < count; i++) {
        assertThat(all.get(ValueLayout.JAVA_BYTE, (long) i * size)).isEqualTo((byte) i);
        assertThat(all.get(ValueLayout.JAVA_BYTE, (i + 1L) * size - 1)).isEqualTo((byte) i);
      }
      assertThat(fake.cuda.calls).contains("await");
      device.free(block);
    }
  }

  @Test
  void aRingIsLeftToTheNextStream() {
    DeviceMemory block = device.allocate(16, 64, "");
    for (int i = 0; i < 3; i++) {
      try (Stream stream = device.openStream()) {
        device.copyIn(MemorySegment.ofArray(new byte[16]), block, 0, stream);
      }
    }
    assertThat(fake.cuda.calls.stream().filter(call -> call.startsWith("allocatePinned")))
        .hasSize(1);
    device.free(block);
  }

  @Test
  void offsetsBeyondTwoGibibytesAreAddressedToo() {
    long far = (5L << 30) + 12;
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(6L << 30, 64, "");
      DeviceMemory other = device.allocate(9L << 30, 64, "");
      device.copyIn(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), block, far, stream);
      device.copyWithin(block, far, other, (8L << 30) + 4, 4, stream);
      byte[] back = new byte[4];
      device.copyOut(other, (8L << 30) + 4, MemorySegment.ofArray(back), stream);
      assertThat(back).containsExactly(1, 2, 3, 4);
      byte[] before = new byte[4];
      device.copyOut(block, far - 4, MemorySegment.ofArray(before), stream);
      assertThat(before).containsOnly(0);
      device.free(block);
      device.free(other);
    }
  }

  @Test
  void anIndexOutOfRangeIsNamed() {
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(64, 64, "");
      assertThatThrownBy(
              () -> device.copyIn(MemorySegment.ofArray(new byte[16]), block, 56, stream))
          .isInstanceOfSatisfying(
              BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INDEX))
          .hasMessage("copy on cuda:0 touches bytes 56 to 72 of a target block of 64 bytes");
      device.free(block);
    }
  }

  @Test
  void aPoolOfTheVirtualMachineReusesBlocksInTheOrderOfStreams() {
    try (PooledAllocator pool = new PooledAllocator(device);
        Stream first = device.openStream();
        Stream second = device.openStream()) {
      pool.allocate(1 << 16, 64, "", first).close();
      fake.cuda.calls.clear();
      pool.allocate(1 << 16, 64, "", first).close();
      pool.allocate(1 << 16, 64, "", second).close();
      assertThat(fake.cuda.calls.stream().filter(call -> call.startsWith("allocateInOrder")))
          .hasSizeLessThanOrEqualTo(1);
    }
  }

  private static MemorySegment numbers(Arena arena, int byteSize) {
    MemorySegment bytes = arena.allocate(byteSize);
    for (int i = 0; i < byteSize; i++) {
      bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / 251));
    }
    return bytes;
  }
}
