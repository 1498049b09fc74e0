package org.relaxvm.backendsupport.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

class GpuDeviceTest {
  private final HostGpu gpu = new HostGpu(0);
  private final HostGpu other = new HostGpu(1);

  @AfterEach
  void closeBoth() {
    GpuDevice.closeAll(List.of(gpu, other));
  }

  @Test
  void bytesTravelToABlockWithinTheDeviceAndBack() {
    DeviceMemory first = gpu.allocate(8, 64, "");
    DeviceMemory second = gpu.allocate(8, 64, "global");
    byte[] back = new byte[4];
    try (Stream stream = gpu.openStream()) {
      gpu.copyIn(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), first, 2, stream);
      gpu.copyWithin(first, 2, second, 4, 4, stream);
      gpu.copyOut(second, 4, MemorySegment.ofArray(back), stream);
      stream.synchronize();
    }
    assertThat(back).containsExactly(1, 2, 3, 4);
    assertThat(gpu.liveBytes()).isEqualTo(16);
    gpu.free(first);
    assertThat(gpu.liveBytes()).isEqualTo(8);
  }

  @Test
  void aFreedBlockHasNoContentAndCannotBeFreedAgain() {
    DeviceMemory block = gpu.allocate(8, 64, "");
    gpu.free(block);
    String message = "a block of 8 bytes on hostgpu:0 was freed: it has no content";
    assertThatThrownBy(() -> gpu.free(block))
        .isInstanceOf(BackendException.class)
        .hasMessage(message);
    try (Stream stream = gpu.openStream()) {
      MemorySegment source = MemorySegment.ofArray(new byte[8]);
      assertThatThrownBy(() -> gpu.copyIn(source, block, 0, stream)).hasMessage(message);
    }
    assertThat(gpu.liveBytes()).isZero();
  }

  @Test
  void blocksAndStreamsOfOthersAreRefused() {
    DeviceMemory foreign = other.allocate(8, 64, "");
    DeviceMemory own = gpu.allocate(8, 64, "");
    MemorySegment source = MemorySegment.ofArray(new byte[8]);
    try (Stream stream = gpu.openStream();
        Stream foreignStream = other.openStream()) {
      assertThatThrownBy(() -> gpu.copyIn(source, foreign, 0, stream))
          .hasMessage("expected a block of hostgpu:0, but got a block of 8 bytes on hostgpu:1");
      assertThatThrownBy(() -> gpu.copyIn(source, own, 0, foreignStream))
          .hasMessage("work for hostgpu:0 was given a stream of hostgpu:1");
      DeviceMemory unknown = () -> 8;
      assertThatThrownBy(() -> gpu.copyIn(source, unknown, 0, stream))
          .hasMessageStartingWith("expected a block of hostgpu:0, but got " + getClass().getName());
    }
  }

  @Test
  void allocateRefusesScopesAndSizesThatTheDeviceDoesNotHave() {
    assertThatThrownBy(() -> gpu.allocate(8, 64, "texture"))
        .isInstanceOf(BackendException.class)
        .hasMessage("hostgpu:0 has no scope 'texture', only 'global'");
    assertThatThrownBy(() -> gpu.allocate(HostGpu.MAX_BLOCK + 1, 64, ""))
        .isInstanceOf(DeviceOutOfMemoryException.class)
        .hasMessageContaining(
            "hostgpu:0 cannot allocate 1048577 bytes, with 0 of 4194304 in use and at most 1048576"
                + " in a block");
  }

  @Test
  void closingReleasesWhatIsLeftAndTheDeviceOnce() {
    DeviceMemory block = gpu.allocate(8, 64, "");
    Stream stream = gpu.openStream();
    Event event = stream.record();
    assertThat(gpu.lifetime.live.counts())
        .containsOnlyKeys(HostGpu.Handle.BLOCK, HostGpu.Handle.QUEUE, HostGpu.Handle.EVENT);
    gpu.close();
    gpu.close();
    assertThat(gpu.lifetime.live.counts()).isEmpty();
    assertThat(gpu.lifetime.released).hasValue(1);
    assertThat(event.isComplete()).isTrue();
    event.close();
    stream.close();
    assertThat(gpu.lifetime.live.counts()).isEmpty();
    assertThatThrownBy(() -> gpu.free(block)).hasMessageContaining("hostgpu:0 is closed");
    assertThatThrownBy(gpu::openStream).hasMessageContaining("hostgpu:0 is closed");
    assertThatThrownBy(() -> gpu.allocate(8, 64, "")).hasMessageContaining("hostgpu:0 is closed");
  }

  @Test
  void closingAllClosesTheRemainingOnesAfterAFailure() {
    HostGpu failing = new HostGpu(2);
    failing.lifetime.make(
        () ->
            () -> {
              throw new BackendException(ErrorKind.RUNTIME, "the driver failed");
            });
    HostGpu last = new HostGpu(3);
    assertThatThrownBy(() -> GpuDevice.closeAll(List.of(failing, last)))
        .hasMessage("the driver failed");
    assertThat(last.lifetime.released).hasValue(1);
  }

  @Test
  void anEventIsDoneOnceItWasWaitedForAndKeepsItsHandleWhileItIsUsed() {
    try (Stream stream = gpu.openStream()) {
      Event event = stream.record();
      assertThat(event.isComplete()).isFalse();
      stream.waitFor(event);
      assertThat(event.isComplete()).isTrue();
      ((HostGpu.HostEvent) event)
          .use(
              live -> {
                event.close();
                assertThat(gpu.lifetime.live.counts()).containsKey(HostGpu.Handle.EVENT);
              });
      assertThat(gpu.lifetime.live.counts()).doesNotContainKey(HostGpu.Handle.EVENT);
      event.await();
      event.close();
    }
  }

  @Test
  void itTakesTheKernelIrAndItsOwnFormats() {
    assertThat(gpu.formats()).containsExactlyInAnyOrder("host-image", "tir");
  }
}
