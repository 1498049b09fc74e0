package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.entry;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendvulkan.driver.HandleKind;
import org.relaxvm.backendvulkan.driver.Vulkan;

/** Codes that a driver gives become typed errors, and nothing is left over after them. */
@NeedsVulkan
class VulkanFailuresTest {
  private static final String NEW_ONE =
      "\n  what to do: close the virtual machine and make another; if it happens again, look for"
          + " messages of the driver in the system's log";

  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private VulkanDevice device;

  @BeforeEach
  void open() {
    backend = new VulkanBackendProvider(faults::driver).open();
    device = (VulkanDevice) backend.devices().getFirst();
  }

  @AfterEach
  void nothingIsLeftOver() {
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void askingForDevicesMakesNothing() {
    assertThat(device.properties().details())
        .containsKeys("type", "driver", "version", "uuid", "largest block");
    assertThat(faults.liveHandles()).containsExactly(entry(HandleKind.INSTANCE, 1L));
  }

  @Test
  void memoryThatTheDeviceHasNotLeavesItUsable() {
    DeviceMemory held = device.allocate(1000, 64, "");
    faults.fail("createBuffer", "vmaCreateBuffer", Vulkan.OUT_OF_DEVICE_MEMORY);
    String limits = limits();
    Throwable refused = catchThrowable(() -> device.allocate(4096, 64, ""));
    assertThat(refused)
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "vulkan:0 cannot allocate 4096 bytes, with 1000 of "
                + limits
                + " in a block: vmaCreateBuffer failed with VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
    assertThat(((DeviceOutOfMemoryException) refused).requestedBytes()).isEqualTo(4096);
    faults.heal("createBuffer");
    device.free(held);
    device.free(device.allocate(4096, 64, ""));
    assertThat(device.liveBytes()).isZero();
  }

  @Test
  void aBlockThatIsTooLargeIsNotAskedFor() {
    faults.fail("createBuffer", "vmaCreateBuffer", -13);
    assertThatThrownBy(() -> device.allocate(1L << 60, 64, ""))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "vulkan:0 cannot allocate 1152921504606846976 bytes, with 0 of "
                + limits()
                + " in a block");
  }

  @Test
  void aPoolGivesIdleBlocksBackBeforeItSaysThatThereIsNoMemory() {
    try (PooledAllocator pool = new PooledAllocator(device);
        Stream stream = device.openStream()) {
      pool.allocate(100_000, 64, "", stream).close();
      faults.fail("createBuffer", "vmaCreateBuffer", Vulkan.OUT_OF_HOST_MEMORY);
      assertThatThrownBy(() -> pool.allocate(1 << 20, 64, "", stream))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      assertThat(pool.stats().reservedBytes()).isZero();
      faults.heal("createBuffer");
      pool.allocate(1 << 20, 64, "", stream).close();
    }
  }

  @Test
  void aDeviceThatIsLostSaysSoEachTimeAndStillClosesCleanly() {
    PooledAllocator pool = new PooledAllocator(device);
    Stream stream = device.openStream();
    Storage storage = pool.allocate(64, 64, "", stream);
    device.copyIn(MemorySegment.ofArray(new byte[64]), storage.memory(), 0, stream);
    device.copyWithin(storage.memory(), 0, storage.memory(), 32, 8, stream);
    Event before = stream.record();
    faults.fail("submit", "vkQueueSubmit", Vulkan.DEVICE_LOST);
    String lost =
        "device vulkan:0 is lost and cannot be used any more: vulkan:0 cannot be given the work of"
            + " a stream: vkQueueSubmit failed with VK_ERROR_DEVICE_LOST (-4)"
            + NEW_ONE;
    refuses(lost, stream::synchronize);
    refuses(lost, stream::synchronize);
    refuses(lost, before::await);
    refuses(lost, () -> device.allocate(64, 64, ""));
    refuses(lost, device::openStream);
    refuses(lost, () -> device.copyWithin(storage.memory(), 0, storage.memory(), 32, 8, stream));
    refuses(
        lost,
        () -> device.copyOut(storage.memory(), 0, MemorySegment.ofArray(new byte[1]), stream));
    refuses(lost, () -> stream.waitFor(before));
    refuses(lost, () -> device.loadModule(NegatedKernel.module().image()));
    try (Event after = stream.record()) {
      after.await();
      assertThat(after.isComplete()).isTrue();
    }
    before.close();
    storage.close();
    pool.close();
    stream.close();
  }

  @Test
  void workThatTheDeviceDoesNotFinishMeansALostDevice() {
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(64, 64, "");
      device.copyWithin(block, 0, block, 32, 8, stream);
      faults.fail("awaitTimeline", "vkWaitSemaphores", Vulkan.DEVICE_LOST);
      String lost =
          "device vulkan:0 is lost and cannot be used any more: vulkan:0 cannot finish the work of"
              + " a stream: vkWaitSemaphores failed with VK_ERROR_DEVICE_LOST (-4)"
              + NEW_ONE;
      refuses(lost, stream::synchronize);
      refuses(lost, stream::synchronize);
      refuses(lost, () -> device.copyWithin(block, 0, block, 32, 8, stream));
      device.free(block);
    }
  }

  @Test
  void workThatCannotBeSubmittedMeansALostDevice() {
    try (Stream stream = device.openStream();
        Event event = stream.record()) {
      DeviceMemory block = device.allocate(64, 64, "");
      device.copyWithin(block, 0, block, 32, 8, stream);
      faults.fail("submit", "vkQueueSubmit", Vulkan.OUT_OF_HOST_MEMORY);
      // The event is older than the work.
      assertThat(event.isComplete()).isTrue();
      event.await();
      refuses(
          "device vulkan:0 is lost and cannot be used any more: vulkan:0 cannot be given the work"
              + " of a stream: vkQueueSubmit failed with VK_ERROR_OUT_OF_HOST_MEMORY (-1)"
              + NEW_ONE,
          () -> stream.record().isComplete());
      device.free(block);
    }
  }

  @Test
  void aDeviceThatIsLostAtItsFirstUseSaysSo() {
    faults.fail("createDevice", "vkCreateDevice", Vulkan.DEVICE_LOST);
    refuses(
        "device vulkan:0 is lost and cannot be used any more: vulkan:0 cannot be used:"
            + " vkCreateDevice failed with VK_ERROR_DEVICE_LOST (-4)"
            + NEW_ONE,
        device::openStream);
  }

  @Test
  void freedMemoryThatWaitsForWorkIsGivenBackBeforeThereIsNone() {
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(64, 64, "");
      device.copyWithin(block, 0, block, 32, 8, stream);
      device.free(block);
      assertThat(faults.liveHandles()).containsEntry(HandleKind.BUFFER, 1L);
      faults.fail("createBuffer", "vmaCreateBuffer", Vulkan.OUT_OF_DEVICE_MEMORY);
      assertThatThrownBy(() -> device.allocate(64, 64, ""))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      assertThat(faults.calls("createBuffer")).as("it is asked again").isEqualTo(3);
      assertThat(faults.liveHandles()).doesNotContainKey(HandleKind.BUFFER);
    }
  }

  @Test
  void otherCodesAreRefusalsAfterWhichTheDeviceIsUsed() {
    faults.fail("createBuffer", "vmaCreateBuffer", -8);
    refuses(
        "vulkan:0 cannot allocate 64 bytes, with 0 of "
            + limits()
            + " in a block: vmaCreateBuffer failed with VK_ERROR_FEATURE_NOT_PRESENT (-8)\n  what"
            + " to do: compare with the limits of the device, which 'relaxvm doctor' shows",
        () -> device.allocate(64, 64, ""));
    faults.heal("createBuffer");
    device.free(device.allocate(64, 64, ""));
  }

  @Test
  void anUnknownCodeIsNamedByItsNumber() {
    faults.fail("createTimeline", "vkCreateSemaphore", -1234);
    refuses(
        "vulkan:0 cannot make a semaphore: vkCreateSemaphore failed with the unknown code -1234\n"
            + "  what to do: compare with the limits of the device, which 'relaxvm doctor' shows",
        device::openStream);
  }

  @Test
  void whatIsNotOfTheDeviceIsRefused() {
    try (Backend other = new VulkanBackendProvider().open();
        Stream stream = device.openStream()) {
      VulkanDevice twin = (VulkanDevice) other.devices().getFirst();
      DeviceMemory foreign = twin.allocate(16, 64, "");
      DeviceMemory own = device.allocate(16, 64, "");
      MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
      assertThatThrownBy(() -> device.copyIn(bytes, foreign, 0, stream))
          .hasMessage("expected a block of vulkan:0, but got a block of 16 bytes on vulkan:0");
      assertThatThrownBy(() -> device.copyIn(bytes, () -> 16, 0, stream))
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith("expected a block of vulkan:0, but got org.relaxvm");
      try (Stream foreignStream = twin.openStream();
          Event foreignEvent = foreignStream.record()) {
        assertThatThrownBy(() -> device.copyIn(bytes, own, 0, foreignStream))
            .hasMessage("work for vulkan:0 was given a stream of vulkan:0");
        assertThatThrownBy(() -> stream.waitFor(foreignEvent))
            .hasMessage(
                "a stream of vulkan:0 waits for events of its own device only, but got one of"
                    + " vulkan:0");
      }
      device.free(own);
      assertThatThrownBy(() -> device.free(own))
          .hasMessage("a block of 16 bytes on vulkan:0 was freed: it has no content");
      assertThatThrownBy(() -> device.copyIn(bytes, own, 0, stream))
          .hasMessage("a block of 16 bytes on vulkan:0 was freed: it has no content");
    }
  }

  @Test
  void aClosedStreamTakesNoWork() {
    Stream stream = device.openStream();
    DeviceMemory block = device.allocate(16, 64, "");
    stream.close();
    assertThatThrownBy(() -> device.copyWithin(block, 0, block, 8, 8, stream))
        .hasMessage("a stream of vulkan:0 is closed: it takes no work");
    stream.synchronize();
  }

  @Test
  void aBackendThatIsClosedReleasesWhatNobodyGaveBack() {
    Stream stream = device.openStream();
    DeviceMemory block = device.allocate(16, 64, "");
    Event event = stream.record();
    assertThat(faults.liveHandles())
        .containsOnlyKeys(
            HandleKind.INSTANCE, HandleKind.DEVICE, HandleKind.SEMAPHORE, HandleKind.BUFFER);
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
    event.close();
    stream.close();
    assertThatThrownBy(() -> device.free(block))
        .hasMessage("device vulkan:0 is closed: it cannot be used any more");
  }

  private String limits() {
    return device.properties().totalMemoryBytes()
        + " in use and at most "
        + device.properties().maxAllocationBytes();
  }

  private static void refuses(String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(BackendException.class)
        .hasMessage(message)
        .extracting(e -> ((RelaxException) e).kind())
        .isEqualTo(ErrorKind.RUNTIME);
  }
}
