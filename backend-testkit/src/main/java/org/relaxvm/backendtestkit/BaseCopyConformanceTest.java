package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.PeerCopy;
import org.relaxvm.api.spi.Stream;

/** Bytes between the host and the device, within it, and tensors with strides. */
public abstract class BaseCopyConformanceTest extends BaseConformanceTest {
  @Test
  void wholeBlocksOfAnySizeComeBack() {
    Random random = random();
    for (int size : new int[] {1, 2, 3, 7, 64, 65, 1023, 4096, 65_537}) {
      byte[] bytes = new byte[size];
      random.nextBytes(bytes);
      DeviceMemory block = device().allocate(size, 64, "");
      copyIn(bytes, block, 0);
      assertThat(copyOut(block, 0, size)).as("%d bytes", size).isEqualTo(bytes);
      device().free(block);
    }
  }

  @Test
  void offsetsAndOddSizesTouchExactlyTheirBytes() {
    Random random = random();
    byte[] expected = new byte[257];
    DeviceMemory block = device().allocate(expected.length, 64, "");
    copyIn(expected, block, 0);
    for (int round = 0; round < 50; round++) {
      int from = random.nextInt(expected.length);
      byte[] piece = new byte[random.nextInt(expected.length - from + 1)];
      random.nextBytes(piece);
      System.arraycopy(piece, 0, expected, from, piece.length);
      copyIn(piece, block, from);
      assertThat(copyOut(block, 0, expected.length)).isEqualTo(expected);
      int start = random.nextInt(expected.length);
      int end = start + random.nextInt(expected.length - start + 1);
      assertThat(copyOut(block, start, end - start))
          .as("bytes %d to %d", start, end)
          .isEqualTo(Arrays.copyOfRange(expected, start, end));
    }
    device().free(block);
  }

  @Test
  void theSourceMayBeReusedAtOnce() {
    byte[] bytes = {1, 2, 3, 4, 5};
    DeviceMemory block = device().allocate(bytes.length, 64, "");
    device().copyIn(MemorySegment.ofArray(bytes), block, 0, session().stream());
    Arrays.fill(bytes, (byte) 99);
    assertThat(copyOut(block, 0, bytes.length)).containsExactly(1, 2, 3, 4, 5);
    device().free(block);
  }

  @Test
  void rangesOfOneDeviceAreCopiedWithTheirOffsets() {
    DeviceMemory a = device().allocate(9, 64, "");
    DeviceMemory b = device().allocate(9, 64, "");
    copyIn(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, a, 0);
    copyIn(new byte[9], b, 0);
    device().copyWithin(a, 1, b, 4, 3, session().stream());
    device().copyWithin(a, 8, a, 0, 1, session().stream());
    assertThat(copyOut(b, 0, 9)).containsExactly(0, 0, 0, 0, 2, 3, 4, 0, 0);
    assertThat(copyOut(a, 0, 9)).containsExactly(9, 2, 3, 4, 5, 6, 7, 8, 9);
    device().free(a);
    device().free(b);
  }

  @Test
  void rangesOutsideOfABlockAreRefusedAndNothingIsCopied() {
    DeviceMemory block = device().allocate(8, 64, "");
    long size = block.byteSize();
    MemorySegment host = MemorySegment.ofArray(new byte[4]);
    Stream stream = session().stream();
    refuses(() -> device().copyIn(host, block, size - 3, stream), "target", size - 3, size + 1);
    refuses(() -> device().copyOut(block, -1, host, stream), "source", -1, 3);
    refuses(
        () -> device().copyWithin(block, size - 1, block, 0, 2, stream),
        "source",
        size - 1,
        size + 1);
    refuses(() -> device().copyWithin(block, 0, block, size, 1, stream), "target", size, size + 1);
    device().copyIn(MemorySegment.ofArray(new byte[0]), block, size, stream);
    stream.synchronize();
    device().free(block);
  }

  @Test
  void tensorsOfAllSizesGoToTheDeviceAndBack() {
    for (Shape shape :
        new Shape[] {Shape.scalar(), Shape.of(0), Shape.of(3, 0, 2), Shape.of(5), Shape.of(2, 3)}) {
      Tensor host = Tensor.zeros(DType.FLOAT32, shape);
      host.fill(2.5);
      try (Tensor there = DeviceTensors.copyTo(host, session().allocator(), session().stream())) {
        assertThat(there.device()).isEqualTo(device());
        assertThat(there.toHost().toFloatArray()).isEqualTo(host.toFloatArray());
      }
    }
  }

  @Test
  void stridedTensorsComeBackInRowMajorOrder() {
    Tensor host = Tensor.of(new int[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    try (Tensor there = DeviceTensors.copyTo(host, session().allocator(), session().stream())) {
      try (Tensor transposed = there.permute(1, 0)) {
        assertThat(transposed.toHost().toLongArray()).containsExactly(1, 4, 2, 5, 3, 6);
      }
      try (Tensor backwards = there.stridedView(Shape.of(3), new long[] {-2}, 5)) {
        assertThat(backwards.toHost().toLongArray()).containsExactly(6, 4, 2);
      }
      try (Tensor repeated = there.stridedView(Shape.of(2, 2), new long[] {0, 1}, 1)) {
        assertThat(repeated.toHost().toLongArray()).containsExactly(2, 3, 2, 3);
      }
    }
    try (Tensor there =
        DeviceTensors.copyTo(host.permute(1, 0), session().allocator(), session().stream())) {
      assertThat(there.toHost().toLongArray()).containsExactly(1, 4, 2, 5, 3, 6);
    }
  }

  @Test
  void stridedTargetsAreWrittenOnTheHostAndRefusedElsewhere() {
    Tensor source = Tensor.of(new int[] {1, 2, 3, 4}, Shape.of(2, 2));
    try (Tensor there = DeviceTensors.copyTo(source, session().allocator(), session().stream());
        Tensor transposed = there.permute(1, 0)) {
      if (can(Capability.HOST_MEMORY)) {
        source.copyInto(transposed);
        assertThat(there.toLongArray()).containsExactly(1, 3, 2, 4);
      } else {
        assertThatThrownBy(() -> source.copyInto(transposed))
            .isInstanceOf(CallException.class)
            .hasMessage(
                "cannot copy into a strided tensor on "
                    + device()
                    + ": shape [2, 2], strides [1, 2]; copy into a contiguous one");
      }
    }
  }

  @Test
  void tensorsGoFromDeviceToDevice() {
    Tensor host = Tensor.of(new float[] {1, 2, 3}, Shape.of(3));
    Tensor first = session().upload(host);
    for (Device other : backend().devices()) {
      try (DeviceSession target = new DeviceSession(other);
          Tensor second = DeviceTensors.copyTo(first, target.allocator(), target.stream())) {
        session().stream().synchronize();
        first.copyInto(second);
        assertThat(second.device()).isEqualTo(other);
        assertThat(second.toHost().toFloatArray()).containsExactly(1, 2, 3);
      }
    }
  }

  @Test
  void aDeviceCopiesToPeersExactlyWhenItSaysSo() {
    assertThat(device() instanceof PeerCopy).isEqualTo(can(Capability.PEER_COPY));
    if (device() instanceof PeerCopy peer) {
      assertThat(peers(peer)).as("devices that %s copies to", device()).isNotEmpty();
      assertThat(peer.canCopyTo(HostDevice.INSTANCE)).as("what the host's copies do").isFalse();
    }
  }

  @Test
  void copiesToPeersKeepTheirOffsetsAndTheOrderOfBothStreams() {
    if (!(device() instanceof PeerCopy peer)) {
      return;
    }
    for (Device other : peers(peer)) {
      DeviceMemory from = device().allocate(9, 64, "");
      DeviceMemory to = other.allocate(9, 64, "");
      byte[] back = new byte[9];
      try (Stream there = other.openStream()) {
        Stream here = session().stream();
        device()
            .copyIn(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}), from, 0, here);
        other.copyIn(MemorySegment.ofArray(new byte[9]), to, 0, there);
        peer.copyTo(from, 1, here, to, 4, there, 3);
        device().copyIn(MemorySegment.ofArray(new byte[9]), from, 0, here);
        other.copyOut(to, 0, MemorySegment.ofArray(back), there);
        there.synchronize();
        here.synchronize();
      }
      assertThat(back).as("on %s", other).containsExactly(0, 0, 0, 0, 2, 3, 4, 0, 0);
      device().free(from);
      other.free(to);
    }
  }

  private List<Device> peers(PeerCopy peer) {
    return backend().devices().stream().filter(peer::canCopyTo).toList();
  }

  private void copyIn(byte[] bytes, DeviceMemory block, long offset) {
    device().copyIn(MemorySegment.ofArray(bytes), block, offset, session().stream());
  }

  private byte[] copyOut(DeviceMemory block, long offset, int size) {
    byte[] bytes = new byte[size];
    device().copyOut(block, offset, MemorySegment.ofArray(bytes), session().stream());
    session().stream().synchronize();
    return bytes;
  }

  private static void refuses(Runnable call, String side, long from, long to) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INDEX))
        .hasMessageContaining("touches bytes " + from + " to " + to + " of a " + side + " block");
  }
}
