package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/** Codes that a driver gives become typed errors, and nothing is left over after them. */
class CudaFailuresTest {
  private static final LaunchShape ONE =
      LaunchShape.of(WorkSize.of(new long[] {1}, new long[] {1}), 0);

  private static final String END_IT =
      "\n  what to do: end this process and start it again, since CUDA fails from now on whatever"
          + " it is asked; ";

  private static final String KERNEL =
      END_IT
          + "CUDA_LAUNCH_BLOCKING=1 in the environment then names the kernel for certain, and"
          + " 'compute-sanitizer' the instruction in it";

  private static final String HARDWARE =
      END_IT
          + "if it happens again, look at 'nvidia-smi -q' and for messages of the driver (Xid) in"
          + " the system's log";

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
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  @Test
  void memoryThatTheDeviceHasNotLeavesItUsable() {
    DeviceMemory held = device.allocate(1000, 64, "");
    fake.cuda.fail("allocateInOrder", "cuMemAllocAsync", 2);
    Throwable refused = catchThrowable(() -> device.allocate(4096, 64, ""));
    assertThat(refused)
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "cuda:0 cannot allocate 4096 bytes, with 1000 of 85899345920 in use by this process and"
                + " 1073741824 free for all: cuMemAllocAsync failed with CUDA_ERROR_OUT_OF_MEMORY"
                + " (2)");
    assertThat(((DeviceOutOfMemoryException) refused).requestedBytes()).isEqualTo(4096);
    fake.cuda.heal("allocateInOrder");
    device.free(held);
    device.free(device.allocate(4096, 64, ""));
    assertThat(device.liveBytes()).isZero();
  }

  @Test
  void aBlockThatIsLargerThanTheMemoryIsNotAskedFor() {
    assertThatThrownBy(() -> device.allocate(1L << 60, 64, ""))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessage(
            "cuda:0 cannot allocate 1152921504606846976 bytes, with 0 of 85899345920 in use");
    assertThat(fake.cuda.calls).noneMatch(call -> call.startsWith("allocate"));
  }

  @Test
  void aPoolGivesIdleBlocksBackBeforeItSaysThatThereIsNoMemory() {
    try (PooledAllocator pool = new PooledAllocator(device);
        Stream stream = device.openStream()) {
      pool.allocate(100_000, 64, "", stream).close();
      fake.cuda.fail("allocateInOrder", "cuMemAllocAsync", 2);
      assertThatThrownBy(() -> pool.allocate(1 << 20, 64, "", stream))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      assertThat(pool.stats().reservedBytes()).isZero();
      fake.cuda.heal("allocateInOrder");
      pool.allocate(1 << 20, 64, "", stream).close();
    }
  }

  @Test
  void aKernelThatUsesAForeignAddressIsNamedAndTheDeviceIsLost() {
    PooledAllocator pool = new PooledAllocator(device);
    CudaStream stream = device.own(device.openStream());
    Storage storage = pool.allocate(64, 64, "", stream);
    fake.cuda.kernels.put("wild", (memory, _) -> memory.setFloat(12, 1));
    CudaProgram program = device.build("wild", "source");
    List<KernelArgument> none = List.of();
    stream.launch(program.kernel("first"), "first", none, ONE);
    stream.synchronize();
    stream.launch(program.kernel("before"), "before", none, ONE);
    stream.launch(program.kernel("wild"), "wild", none, ONE);
    stream.launch(program.kernel("before"), "before", none, ONE);
    Event before = stream.record();
    String lost =
        "device cuda:0 is lost and cannot be used any more: cuda:0 cannot finish the work of a"
            + " stream: cuStreamSynchronize failed with CUDA_ERROR_ILLEGAL_ADDRESS (700)"
            + "\n  reason: a kernel used an address that is not in its memory"
            + "\n  kernels launched since streams were waited for, the latest first: before, wild"
            + " (3 launches)"
            + KERNEL;
    refuses(lost, stream::synchronize);
    refuses(lost, stream::synchronize);
    refuses(lost, before::await);
    refuses(lost, () -> device.allocate(64, 64, ""));
    refuses(lost, device::openStream);
    refuses(lost, () -> stream.launch(program.kernel("before"), "before", none, ONE));
    refuses(lost, () -> device.copyWithin(storage.memory(), 0, storage.memory(), 32, 8, stream));
    refuses(
        lost,
        () -> device.copyOut(storage.memory(), 0, MemorySegment.ofArray(new byte[1]), stream));
    refuses(lost, () -> stream.waitFor(before));
    refuses(lost, () -> device.loadModule(NegatedKernel.image()));
    refuses(lost, stream::beginCapture);
    try (Event after = stream.record()) {
      after.await();
      assertThat(after.isComplete()).isTrue();
    }
    assertThat(before.isComplete()).isTrue();
    before.close();
    storage.close();
    pool.close();
    program.close();
    stream.close();
  }

  @Test
  void aFaultOfOneStreamIsSeenByAnotherWhichNamesItsKernels() {
    CudaStream stream = device.own(device.openStream());
    fake.cuda.kernels.put("wild", (memory, _) -> memory.floatAt(0));
    CudaProgram program = device.build("wild", "source");
    stream.launch(program.kernel("wild"), "decode", List.of(), ONE);
    // The device comes to it by itself.
    stream.finish();
    refuses(
        "device cuda:0 is lost and cannot be used any more: cuda:0 cannot make a stream:"
            + " cuCreateStream failed with CUDA_ERROR_ILLEGAL_ADDRESS (700)"
            + "\n  reason: a kernel used an address that is not in its memory"
            + "\n  kernels launched since streams were waited for, the latest first: decode"
            + KERNEL,
        device::openStream);
    stream.close();
    program.close();
  }

  @ParameterizedTest
  @CsvSource({
    "702, CUDA_ERROR_LAUNCH_TIMEOUT, a kernel ran longer than the system allows",
    "710, CUDA_ERROR_ASSERT, an assertion of a kernel failed",
    "714, CUDA_ERROR_HARDWARE_STACK_ERROR, a kernel's stack is damaged or too small",
    "715, CUDA_ERROR_ILLEGAL_INSTRUCTION, "
        + "a kernel has an instruction that the device does not know",
    "716, CUDA_ERROR_MISALIGNED_ADDRESS, a kernel used an address that is not aligned",
    "719, CUDA_ERROR_LAUNCH_FAILED, a kernel failed while it ran",
    "721, an unknown code, a kernel did not give memory of tensor cores back",
  })
  void faultsOfKernelsMeanALostDevice(int code, String name, String reason) {
    CudaStream stream = device.own(device.openStream());
    CudaProgram program = device.build("k", "source");
    fake.cuda.fail("launch", "cuLaunchKernel", code);
    refuses(
        "device cuda:0 is lost and cannot be used any more: cuda:0 cannot launch the kernel decode"
            + " with grid=(1,1,1), block=(1,1,1), shared=0: cuLaunchKernel failed with "
            + name
            + " ("
            + code
            + ")\n  reason: "
            + reason
            + KERNEL,
        () -> stream.launch(program.kernel("k"), "decode", List.of(), ONE));
    stream.close();
    program.close();
  }

  @ParameterizedTest
  @CsvSource({
    "214, CUDA_ERROR_ECC_UNCORRECTABLE, "
        + "the device's memory has an error that cannot be corrected",
    "226, an unknown code, the device's memory or a link to another one has an error",
    "911, CUDA_ERROR_EXTERNAL_DEVICE, another device that work waited for has failed",
    "999, CUDA_ERROR_UNKNOWN, the driver does not say why",
  })
  void faultsOfTheDeviceAreTold(int code, String name, String reason) {
    fake.cuda.fail("retainContext", "cuDevicePrimaryCtxRetain", code);
    refuses(
        "device cuda:0 is lost and cannot be used any more: cuda:0 cannot be used:"
            + " cuDevicePrimaryCtxRetain failed with "
            + name
            + " ("
            + code
            + ")\n  reason: "
            + reason
            + HARDWARE,
        device::openStream);
  }

  @Test
  void aDeviceThatAnotherProcessHoldsMayBeFreeLater() {
    fake.cuda.fail("retainContext", "cuDevicePrimaryCtxRetain", 46);
    refuses(
        "cuda:0 cannot be used: cuDevicePrimaryCtxRetain failed with"
            + " CUDA_ERROR_DEVICE_UNAVAILABLE (46)\n  what to do: end the process that has the"
            + " device for itself, which 'nvidia-smi' shows ('nvidia-smi -q -d COMPUTE' shows"
            + " whether it is given to one process only), or use another device",
        device::openStream);
    fake.cuda.heal("retainContext");
    device.openStream().close();
  }

  @Test
  void otherCodesAreRefusalsAfterWhichTheDeviceIsUsed() {
    try (CudaStream stream = device.own(device.openStream());
        CudaProgram program = device.build("k", "source")) {
      fake.cuda.fail("launch", "cuLaunchKernel", 701);
      refuses(
          "cuda:0 cannot launch the kernel k with grid=(1,1,1), block=(1,1,1), shared=0:"
              + " cuLaunchKernel failed with CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)\n  what to"
              + " do: compare with the limits of the device, which 'relaxvm doctor' shows",
          () -> stream.launch(program.kernel("k"), "k", List.of(), ONE));
      fake.cuda.heal("launch");
      stream.launch(program.kernel("k"), "k", List.of(), ONE);
      stream.synchronize();
    }
  }

  @Test
  void anUnknownCodeIsNamedByItsNumber() {
    fake.cuda.fail("createStream", "cuStreamCreate", 12345);
    refuses(
        "cuda:0 cannot make a stream: cuStreamCreate failed with an unknown code (12345)\n  what to"
            + " do: compare with the limits of the device, which 'relaxvm doctor' shows",
        device::openStream);
  }

  @Test
  void pinnedMemoryThatTheHostHasNotIsToldOfAndNothingIsKept() {
    try (Stream stream = device.openStream()) {
      DeviceMemory block = device.allocate(16, 64, "");
      fake.cuda.fail("allocatePinned", "cuMemHostAlloc", 2);
      assertThatThrownBy(() -> device.copyIn(MemorySegment.ofArray(new byte[16]), block, 0, stream))
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessage(
              "cuda:0 cannot take pinned memory of the host: cuMemHostAlloc failed with"
                  + " CUDA_ERROR_OUT_OF_MEMORY (2)");
      fake.cuda.heal("allocatePinned");
      fake.cuda.fail("createEvent", "cuEventCreate", 2);
      assertThatThrownBy(() -> device.copyIn(MemorySegment.ofArray(new byte[16]), block, 0, stream))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      fake.cuda.heal("createEvent");
      device.copyIn(MemorySegment.ofArray(new byte[16]), block, 0, stream);
      stream.synchronize();
      device.free(block);
    }
  }

  @Test
  void whatIsNotOfTheDeviceIsRefused() {
    try (Backend other = new FakeBackend().open();
        Stream stream = device.openStream()) {
      CudaDevice twin = (CudaDevice) other.devices().getFirst();
      DeviceMemory foreign = twin.allocate(16, 64, "");
      DeviceMemory own = device.allocate(16, 64, "");
      MemorySegment bytes = MemorySegment.ofArray(new byte[16]);
      assertThatThrownBy(() -> device.copyIn(bytes, foreign, 0, stream))
          .hasMessage("expected a block of cuda:0, but got a block of 16 bytes on cuda:0");
      assertThatThrownBy(() -> device.copyIn(bytes, () -> 16, 0, stream))
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith("expected a block of cuda:0, but got org.relaxvm");
      try (Stream foreignStream = twin.openStream();
          Event foreignEvent = foreignStream.record()) {
        assertThatThrownBy(() -> device.copyIn(bytes, own, 0, foreignStream))
            .hasMessage("work for cuda:0 was given a stream of cuda:0");
        assertThatThrownBy(() -> stream.waitFor(foreignEvent))
            .hasMessage(
                "a stream of cuda:0 waits for events of its own device only, but got one of"
                    + " cuda:0");
      }
      device.free(own);
      assertThatThrownBy(() -> device.free(own))
          .hasMessage("a block of 16 bytes on cuda:0 was freed: it has no content");
      assertThatThrownBy(() -> device.copyIn(bytes, own, 0, stream))
          .hasMessage("a block of 16 bytes on cuda:0 was freed: it has no content");
    }
  }

  @Test
  void aBackendThatIsClosedReleasesWhatNobodyGaveBack() {
    CudaStream stream = device.own(device.openStream());
    DeviceMemory block = device.allocate(16, 64, "");
    device.copyIn(MemorySegment.ofArray(new byte[16]), block, 0, stream);
    Event event = stream.record();
    stream.launch(device.build("k", "source").kernel("k"), "k", List.of(), ONE);
    assertThat(fake.cuda.liveHandles()).hasSize(6);
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
    event.close();
    stream.close();
    assertThatThrownBy(() -> device.free(block))
        .hasMessage("device cuda:0 is closed: it cannot be used any more");
  }

  private static void refuses(String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(BackendException.class)
        .hasMessage(message)
        .extracting(e -> ((RelaxException) e).kind())
        .isEqualTo(ErrorKind.RUNTIME);
  }
}
