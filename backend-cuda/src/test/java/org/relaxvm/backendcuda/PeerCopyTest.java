package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

/** Copies from one device to another, in the order of streams of both. */
class PeerCopyTest {
  private final FakeBackend fake = new FakeBackend();
  private Backend backend;
  private CudaDevice first;
  private CudaDevice second;

  @BeforeEach
  void open() {
    fake.cuda.devices =
        List.of(
            RecordingCuda.device("NVIDIA H100", "GPU-1", 9, 0),
            RecordingCuda.device("NVIDIA H100", "GPU-2", 9, 0));
    backend = fake.open();
    first = (CudaDevice) backend.devices().get(0);
    second = (CudaDevice) backend.devices().get(1);
  }

  @AfterEach
  void nothingIsLeftOver() {
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  @Test
  void aCopyWaitsForTheSourceAndTheSourceForTheCopy() {
    try (Stream from = first.openStream();
        Stream to = second.openStream()) {
      DeviceMemory source = first.allocate(6L << 30, 64, "");
      DeviceMemory target = second.allocate(4L << 30, 64, "");
      long far = (5L << 30) + 4;
      first.copyIn(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), source, far, from);
      first.copyTo(source, far, from, target, (3L << 30) + 8, to, 4);
      // Comes after the copy in the order of the source's stream.
      first.copyIn(MemorySegment.ofArray(new byte[] {9, 9, 9, 9}), source, far, from);
      from.synchronize();
      byte[] back = new byte[4];
      second.copyOut(target, (3L << 30) + 8, MemorySegment.ofArray(back), to);
      assertThat(back).containsExactly(1, 2, 3, 4);
      first.free(source);
      second.free(target);
    }
    assertThat(fake.cuda.calls).contains("canReach 1 0", "enablePeer 1 0", "copyPeer 0 to 1, 4");
  }

  @Test
  void devicesAreConnectedOnceAndOnlyWhereTheyCanBe() {
    copyOnce();
    copyOnce();
    assertThat(fake.cuda.calls).containsOnlyOnce("enablePeer 1 0");
    assertThat(fake.cuda.calls).doesNotContain("enablePeer 0 1");
    try (Backend apart = fake.open()) {
      fake.cuda.calls.clear();
      fake.cuda.canReach = false;
      first = (CudaDevice) apart.devices().get(0);
      second = (CudaDevice) apart.devices().get(1);
      copyOnce();
      assertThat(fake.cuda.calls).contains("canReach 1 0", "copyPeer 0 to 1, 12");
      assertThat(fake.cuda.calls).noneMatch(call -> call.startsWith("enablePeer"));
    }
  }

  private void copyOnce() {
    NaiveAllocator here = new NaiveAllocator(first);
    NaiveAllocator there = new NaiveAllocator(second);
    try (Stream stream = first.openStream();
        Stream other = second.openStream();
        Tensor x =
            DeviceTensors.copyTo(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)), here, stream);
        Tensor copy = DeviceTensors.copyTo(x, there, other)) {
      assertThat(copy.toHost().toFloatArray()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void devicesOfOtherBackendsAreNoPeers() {
    try (Backend other = new FakeBackend().open();
        Stream from = first.openStream()) {
      CudaDevice foreign = (CudaDevice) other.devices().getFirst();
      assertThat(first.canCopyTo(second)).isTrue();
      assertThat(first.canCopyTo(foreign)).isFalse();
      assertThat(first.canCopyTo(HostDevice.INSTANCE)).isFalse();
      try (Stream to = foreign.openStream()) {
        assertThatThrownBy(
                () -> first.copyTo(first.allocate(4, 64, ""), 0, from, () -> 4, 0, to, 4))
            .isInstanceOf(BackendException.class)
            .hasMessage("cuda:0 cannot copy to cuda:0 by itself");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {217, 711})
  void aPeerThatCannotBeReachedIsCopiedFromByTheDriver(int code) {
    fake.cuda.fail("enablePeer", "cuCtxEnablePeerAccess", code);
    copyOnce();
    copyOnce();
    assertThat(fake.cuda.calls).containsOnlyOnce("enablePeer 1 0");
    assertThat(fake.cuda.calls).contains("copyPeer 0 to 1, 12");
  }

  @Test
  void aPeerThatFailsIsNamed() {
    fake.cuda.fail("enablePeer", "cuCtxEnablePeerAccess", 220);
    try (Stream from = first.openStream();
        Stream to = second.openStream()) {
      DeviceMemory source = first.allocate(4, 64, "");
      DeviceMemory target = second.allocate(4, 64, "");
      assertThatThrownBy(() -> first.copyTo(source, 0, from, target, 0, to, 4))
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith(
              "device cuda:1 is lost and cannot be used any more: cuda:1 cannot reach the memory of"
                  + " cuda:0: cuCtxEnablePeerAccess failed with CUDA_ERROR_NVLINK_UNCORRECTABLE"
                  + " (220)\n  reason: the link to another device has an error\n");
    }
  }
}
