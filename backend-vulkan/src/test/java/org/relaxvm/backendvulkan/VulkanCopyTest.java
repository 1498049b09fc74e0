package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendvulkan.driver.DeviceKind;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** Copies that the kit does not ask for: large, staged, and from memory that cannot be used. */
@NeedsVulkan
@ParameterizedClass
@EnumSource(names = {"CPU", "DISCRETE"})
class VulkanCopyTest {
  /** Those with memory of their own are reached through memory of the host. */
  private final DeviceKind kind;

  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private VulkanDevice device;
  private Stream stream;

  VulkanCopyTest(DeviceKind kind) {
    this.kind = kind;
  }

  @BeforeEach
  void open() {
    faults.answer("report", Reports.with(Reports.real(), kind));
    backend = new VulkanBackendProvider(faults::driver).open();
    device = (VulkanDevice) backend.devices().getFirst();
    stream = device.openStream();
  }

  @AfterEach
  void nothingIsLeftOver() {
    stream.close();
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void offsetsBeyondTwoGibibytesAreReached() {
    long size = (2L << 30) + 4096;
    long most = device.properties().maxAllocationBytes();
    if (size > most) {
      System.out.println("skipped: a block of " + device + " has at most " + most + " bytes");
    }
    Assumptions.assumeTrue(size <= most, "blocks are too small");
    DeviceMemory block = device.allocate(size, 64, "");
    byte[] bytes = new byte[100];
    new Random(7).nextBytes(bytes);
    device.copyIn(MemorySegment.ofArray(bytes), block, size - 200, stream);
    device.copyWithin(block, size - 200, block, size - 100, 100, stream);
    byte[] back = new byte[200];
    device.copyOut(block, size - 200, MemorySegment.ofArray(back), stream);
    assertThat(back).startsWith(bytes).endsWith(bytes);
    device.free(block);
  }

  @Test
  void copiesOfMoreThanTheBounceBufferComeBackFromTheHeapAndFromNativeMemory() {
    int count = (9 << 20) / Integer.BYTES + 3;
    int[] values = new Random(9).ints(count).toArray();
    DeviceMemory block = device.allocate((long) count * Integer.BYTES, 64, "");
    device.copyIn(MemorySegment.ofArray(values), block, 0, stream);
    int[] onHeap = new int[count];
    device.copyOut(block, 0, MemorySegment.ofArray(onHeap), stream);
    assertThat(onHeap).isEqualTo(values);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment nativeBytes = arena.allocate(block.byteSize());
      device.copyOut(block, 0, nativeBytes, stream);
      assertThat(nativeBytes.toArray(ValueLayout.JAVA_INT)).isEqualTo(values);
    }
    device.free(block);
  }

  @Test
  void aSmallCopyToABusyQueueIsStagedAndTakesEffectInOrder() {
    DeviceMemory a = device.allocate(4, 64, "");
    DeviceMemory b = device.allocate(4, 64, "");
    device.copyIn(MemorySegment.ofArray(new byte[] {1, 1, 1, 1}), a, 0, stream);
    device.copyWithin(a, 0, b, 0, 4, stream);
    byte[] source = {2, 2, 2, 2};
    long submitted = faults.calls("submit");
    long awaited = faults.calls("awaitTimeline");
    device.copyIn(MemorySegment.ofArray(source), a, 0, stream);
    assertThat(faults.calls("submit")).as("nothing is submitted").isEqualTo(submitted);
    assertThat(faults.calls("awaitTimeline")).as("nothing is waited for").isEqualTo(awaited);
    source[0] = 9;
    byte[] back = new byte[4];
    device.copyOut(a, 0, MemorySegment.ofArray(back), stream);
    assertThat(back).containsOnly(2);
    device.copyOut(b, 0, MemorySegment.ofArray(back), stream);
    assertThat(back).containsOnly(1);
    device.free(a);
    device.free(b);
  }

  @Test
  void manyStagedCopiesGoRoundTheRing() {
    int size = 700_000;
    DeviceMemory block = device.allocate(20L * size, 64, "");
    byte[] bytes = new byte[20 * size];
    new Random(11).nextBytes(bytes);
    MemorySegment whole = MemorySegment.ofArray(bytes);
    for (int part = 0; part < 20; part++) {
      // So that the queue is never idle.
      device.copyWithin(block, 0, block, 20L * size - 8, 8, stream);
      device.copyIn(whole.asSlice((long) part * size, size), block, (long) part * size, stream);
    }
    byte[] back = new byte[bytes.length];
    device.copyOut(block, 0, MemorySegment.ofArray(back), stream);
    assertThat(back).isEqualTo(bytes);
    device.free(block);
  }

  @Test
  void withoutMemoryForStagingTheErrorSaysSo() {
    DeviceMemory a = device.allocate(8, 64, "");
    device.copyWithin(a, 0, a, 4, 4, stream);
    faults.fail("createBuffer", "vmaCreateBuffer", Vulkan.OUT_OF_DEVICE_MEMORY);
    assertThatThrownBy(() -> device.copyIn(MemorySegment.ofArray(new byte[4]), a, 0, stream))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "vulkan:0 cannot copy 4 bytes from the host: vmaCreateBuffer failed with"
                + " VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
    device.free(a);
  }

  @Test
  void manyCommandsAreFewSubmissions() {
    DeviceMemory a = device.allocate(256, 64, "");
    long before = faults.calls("submit");
    for (int i = 0; i < 130; i++) {
      device.copyWithin(a, 0, a, 128, 4, stream);
    }
    stream.synchronize();
    // The first eight, since the device has nothing to do, and then twice as many each time.
    assertThat(faults.calls("submit") - before).isEqualTo(5);
    device.free(a);
  }

  @Test
  void workOfAnotherStreamIsSubmittedBeforeItIsWaitedFor() {
    DeviceMemory a = device.allocate(4, 64, "");
    DeviceMemory b = device.allocate(4, 64, "");
    try (Stream other = device.openStream()) {
      device.copyIn(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), a, 0, stream);
      device.copyWithin(a, 0, a, 2, 2, stream);
      try (Event event = stream.record()) {
        other.waitFor(event);
        device.copyWithin(a, 0, b, 0, 4, other);
        // Its own stream works in order anyway.
        stream.waitFor(event);
      }
      try (Event event = other.record()) {
        event.await();
        assertThat(event.isComplete()).isTrue();
      }
      byte[] back = new byte[4];
      device.copyOut(b, 0, MemorySegment.ofArray(back), other);
      assertThat(back).containsExactly(1, 2, 1, 2);
    }
    device.free(a);
    device.free(b);
  }

  @Test
  void whatAStreamWaitsForIsWaitedForWithoutAnyWorkOfItsOwn() {
    DeviceMemory a = device.allocate(1 << 20, 64, "");
    try (Stream other = device.openStream()) {
      for (int i = 0; i < 20; i++) {
        device.copyWithin(a, 0, a, 1 << 19, 1 << 19, stream);
      }
      try (Event first = stream.record()) {
        other.waitFor(first);
        try (Event second = other.record()) {
          second.await();
          assertThat(first.isComplete()).isTrue();
        }
        other.synchronize();
      }
    }
    device.free(a);
  }

  @Test
  void hostMemoryThatCannotBeUsedIsRefusedBeforeTheDriverTouchesIt() throws InterruptedException {
    DeviceMemory block = device.allocate(4, 64, "");
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(4);
      MemorySegment readOnly = arena.allocate(4).asReadOnly();
      device.copyIn(readOnly, block, 0, stream);
      refuses(
          "a copy of 4 bytes between vulkan:0 and the host needs host memory that can be written,"
              + " but it is read-only",
          () -> device.copyOut(block, 0, readOnly, stream));
      Thread other =
          new Thread(
              () ->
                  refuses(
                      "a copy of 4 bytes between vulkan:0 and the host needs host memory that can"
                          + " be read, but it belongs to another thread",
                      () -> device.copyIn(readOnly, block, 0, stream)));
      Throwable[] failure = new Throwable[1];
      other.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
      other.start();
      other.join();
      assertThat(failure[0]).isNull();
    }
    refuses(
        "a copy of 4 bytes between vulkan:0 and the host needs host memory that can be read, but"
            + " it was closed",
        () -> device.copyIn(closed, block, 0, stream));
    device.free(block);
  }

  private static void refuses(String message, Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(BackendException.class).hasMessage(message);
  }
}
