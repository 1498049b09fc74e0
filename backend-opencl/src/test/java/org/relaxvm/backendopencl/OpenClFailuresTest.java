package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import org.jocl.CL;
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

/** Codes that a driver gives become typed errors, and nothing is left over after them. */
@NeedsOpenCl
class OpenClFailuresTest {
  private static final String NEW_ONE =
      "\n  what to do: close the virtual machine and make another; if it happens again, look for"
          + " messages of the driver in the system's log";

  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private OpenClDevice device;

  @BeforeEach
  void open() {
    backend = new OpenClBackendProvider(faults::driver).open();
    device = (OpenClDevice) backend.devices().getFirst();
  }

  @AfterEach
  void nothingIsLeftOver() {
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void askingForDevicesMakesNothing() {
    assertThat(device.properties().details())
        .containsKeys("platform", "driver", "version", "compiler", "largest block");
    assertThat(faults.liveHandles()).isEmpty();
  }

  @Test
  void memoryThatTheDeviceHasNotLeavesItUsable() {
    DeviceMemory held = device.allocate(1000, 64, "");
    faults.fail("createBuffer", "clCreateBuffer", CL.CL_MEM_OBJECT_ALLOCATION_FAILURE);
    String limits = limits();
    Throwable refused = catchThrowable(() -> device.allocate(4096, 64, ""));
    assertThat(refused)
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "opencl:0 cannot allocate 4096 bytes, with 1000 of "
                + limits
                + " in a block: clCreateBuffer failed with CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)");
    assertThat(((DeviceOutOfMemoryException) refused).requestedBytes()).isEqualTo(4096);
    faults.heal("createBuffer");
    device.free(held);
    device.free(device.allocate(4096, 64, ""));
    assertThat(device.liveBytes()).isZero();
  }

  @Test
  void aBlockThatIsTooLargeIsNotAskedFor() {
    faults.fail("createBuffer", "clCreateBuffer", CL.CL_INVALID_VALUE);
    assertThatThrownBy(() -> device.allocate(1L << 60, 64, ""))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "opencl:0 cannot allocate 1152921504606846976 bytes, with 0 of "
                + limits()
                + " in a block");
  }

  @Test
  void aPoolGivesIdleBlocksBackBeforeItSaysThatThereIsNoMemory() {
    try (PooledAllocator pool = new PooledAllocator(device);
        Stream stream = device.openStream()) {
      pool.allocate(100_000, 64, "", stream).close();
      faults.fail("createBuffer", "clCreateBuffer", CL.CL_OUT_OF_RESOURCES);
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
    Event before = stream.record();
    faults.fail("finish", "clFinish", CL.CL_OUT_OF_RESOURCES);
    faults.fail("await", "clWaitForEvents", CL.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    String lost =
        "device opencl:0 is lost and cannot be used any more: opencl:0 cannot finish the work of a"
            + " stream: clFinish failed with CL_OUT_OF_RESOURCES (-5)"
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
  void aQueueThatBecameInvalidMeansALostDevice() {
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(64, 64, "");
      faults.fail("write", "clEnqueueWriteBuffer", CL.CL_INVALID_COMMAND_QUEUE);
      String lost =
          "device opencl:0 is lost and cannot be used any more: opencl:0 cannot copy 8 bytes from"
              + " the host: clEnqueueWriteBuffer failed with CL_INVALID_COMMAND_QUEUE (-36)"
              + NEW_ONE;
      refuses(lost, () -> device.copyIn(MemorySegment.ofArray(new byte[8]), block, 0, stream));
      refuses(lost, stream::synchronize);
      device.free(block);
    }
  }

  @Test
  void aDeviceThatIsNotAvailableIsLostAtItsFirstUse() {
    faults.fail("createContext", "clCreateContext", CL.CL_DEVICE_NOT_AVAILABLE);
    refuses(
        "device opencl:0 is lost and cannot be used any more: opencl:0 cannot be used:"
            + " clCreateContext failed with CL_DEVICE_NOT_AVAILABLE (-2)"
            + NEW_ONE,
        device::openStream);
  }

  @Test
  void otherCodesAreRefusalsAfterWhichTheDeviceIsUsed() {
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(64, 64, "");
      faults.fail("copy", "clEnqueueCopyBuffer", CL.CL_MEM_COPY_OVERLAP);
      refuses(
          "opencl:0 cannot copy 8 bytes within its memory: clEnqueueCopyBuffer failed with"
              + " CL_MEM_COPY_OVERLAP (-8)\n  what to do: compare with the limits of the device,"
              + " which 'relaxvm doctor' shows",
          () -> device.copyWithin(block, 0, block, 4, 8, stream));
      faults.heal("copy");
      device.copyWithin(block, 0, block, 32, 8, stream);
      stream.synchronize();
      device.free(block);
    }
  }

  @Test
  void anUnknownCodeIsNamedByItsNumber() {
    faults.fail("createQueue", "clCreateCommandQueue", -1234);
    refuses(
        "opencl:0 cannot make a queue: clCreateCommandQueue failed with the unknown code -1234\n"
            + "  what to do: compare with the limits of the device, which 'relaxvm doctor' shows",
        device::openStream);
  }

  @Test
  void whatIsNotOfTheDeviceIsRefused() {
    try (Backend other = new OpenClBackendProvider().open();
        Stream stream = device.openStream()) {
      OpenClDevice twin = (OpenClDevice) other.devices().getFirst();
      DeviceMemory foreign = twin.allocate(16, 64, "");
      DeviceMemory own = device.allocate(16, 64, "");
      MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
      assertThatThrownBy(() -> device.copyIn(bytes, foreign, 0, stream))
          .hasMessage("expected a block of opencl:0, but got a block of 16 bytes on opencl:0");
      assertThatThrownBy(() -> device.copyIn(bytes, () -> 16, 0, stream))
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith("expected a block of opencl:0, but got org.relaxvm");
      try (Stream foreignStream = twin.openStream();
          Event foreignEvent = foreignStream.record()) {
        assertThatThrownBy(() -> device.copyIn(bytes, own, 0, foreignStream))
            .hasMessage("work for opencl:0 was given a stream of opencl:0");
        assertThatThrownBy(() -> stream.waitFor(foreignEvent))
            .hasMessage(
                "a stream of opencl:0 waits for events of its own device only, but got one of"
                    + " opencl:0");
      }
      device.free(own);
      assertThatThrownBy(() -> device.free(own))
          .hasMessage("a block of 16 bytes on opencl:0 was freed: it has no content");
      assertThatThrownBy(() -> device.copyIn(bytes, own, 0, stream))
          .hasMessage("a block of 16 bytes on opencl:0 was freed: it has no content");
    }
  }

  @Test
  void aClosedStreamTakesNoWork() {
    Stream stream = device.openStream();
    DeviceMemory block = device.allocate(16, 64, "");
    stream.close();
    assertThatThrownBy(() -> device.copyWithin(block, 0, block, 8, 8, stream))
        .hasMessage("a stream of opencl:0 is closed: it takes no work");
    stream.synchronize();
  }

  @Test
  void aBackendThatIsClosedReleasesWhatNobodyGaveBack() {
    Stream stream = device.openStream();
    DeviceMemory block = device.allocate(16, 64, "");
    Event event = stream.record();
    assertThat(faults.liveHandles()).hasSize(4);
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
    event.close();
    stream.close();
    assertThatThrownBy(() -> device.free(block))
        .hasMessage("device opencl:0 is closed: it cannot be used any more");
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
