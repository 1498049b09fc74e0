package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.golden.FakePeer.Connection;
import org.relaxvm.rpc.golden.WatchedLink;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;

/**
 * Copies go straight between the wire and the memory of a tensor, in blocks where a server wants.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TensorCopiesTest {
  private static final Duration SECONDS = Duration.ofSeconds(10);

  /** Length, code, data, device, rank, data type, one extent, offset and size. */
  private static final int HEADER = 60;

  private static Tensor numbers(int count) {
    Tensor tensor = Tensor.zeros(DType.INT8, Shape.of(count));
    for (int i = 0; i < count; i++) {
      tensor.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
    }
    return tensor;
  }

  @Test
  void elementsAreNotCopiedOnTheirWay() throws Exception {
    int size = 8 << 20;
    try (Tensor local = numbers(size);
        FakePeer peer = new FakePeer(TensorCopiesTest::keep)) {
      WatchedLink link =
          new WatchedLink(Sockets.connect(peer.endpoint(), null, SECONDS), local.segment());
      try (RpcSession session = RpcSession.over(link, RpcOptions.DEFAULT);
          RemoteTensor remote = session.upload(local, DeviceId.CPU)) {
        assertThat(link.sentFromMemory()).isEqualTo(size);
        byte[] sent = local.segment().toArray(ValueLayout.JAVA_BYTE);
        local.segment().fill((byte) 0);
        remote.copyTo(local);
        assertThat(local.segment().mismatch(MemorySegment.ofArray(sent))).isEqualTo(-1);
        // The header comes with the first of them.
        assertThat(link.receivedIntoMemory()).isBetween(size - (1L << 16), (long) size);
      }
      peer.finish();
    }
  }

  /** Serves one tensor. */
  private static void keep(Connection client) throws Exception {
    client.begin();
    MemorySegment kept = MemorySegment.NULL;
    for (PacketCode code = client.next(); code != PacketCode.SHUTDOWN; code = client.next()) {
      switch (code) {
        case DEV_ALLOC_DATA_WITH_SCOPE -> client.handle(8);
        case GET_GLOBAL_FUNC -> client.handle(0);
        case COPY_TO_REMOTE -> {
          client.tensor();
          kept = MemorySegment.ofArray(new byte[(int) client.content().readLong()]);
          client.content().readInto(kept);
          client.answer((Object) null);
        }
        case COPY_FROM_REMOTE -> client.bytes(kept.toArray(ValueLayout.JAVA_BYTE));
        default -> client.answer((Object) null);
      }
    }
  }

  /** A block of a copy. */
  private record Block(long offset, List<Byte> content) {}

  @Test
  void aServerThatBoundsItsPacketsGetsBlocks() throws Exception {
    List<Block> blocks = new ArrayList<>();
    List<Byte> received = new ArrayList<>();
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin();
                  client.expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(8);
                  client.expect(PacketCode.GET_GLOBAL_FUNC);
                  assertThat(client.values()).containsExactly("tvm.rpc.server.GetCRTMaxPacketSize");
                  client.handle(9);
                  client.expect(PacketCode.CALL_FUNC).answer(1L, HEADER + 4L);
                  client.expect(PacketCode.FREE_HANDLE).answer((Object) null);
                  for (int i = 0; i < 3; i++) {
                    client.expect(PacketCode.COPY_TO_REMOTE);
                    assertThat(client.content().remaining() + Long.BYTES + Integer.BYTES)
                        .isLessThanOrEqualTo(HEADER + 4);
                    blocks.add(block(client));
                    client.answer((Object) null);
                  }
                  client.expect(PacketCode.DEV_STREAM_SYNC).answer((Object) null);
                  // The limit is known now.
                  for (int i = 0; i < 2; i++) {
                    client.expect(PacketCode.COPY_FROM_REMOTE);
                    TensorView view = client.tensor();
                    int size = (int) client.content().readLong();
                    byte[] bytes = new byte[size];
                    for (int k = 0; k < size; k++) {
                      bytes[k] = (byte) (view.byteOffset() + k);
                      received.add(bytes[k]);
                    }
                    client.bytes(bytes);
                  }
                  client.expect(PacketCode.DEV_STREAM_SYNC).answer((Object) null);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT);
        Tensor local = numbers(10)) {
      RemoteTensor remote = session.upload(local, DeviceId.CPU);
      assertThat(blocks)
          .containsExactly(
              new Block(0, List.of((byte) 0, (byte) 7, (byte) 14, (byte) 21)),
              new Block(4, List.of((byte) 28, (byte) 35, (byte) 42, (byte) 49)),
              new Block(8, List.of((byte) 56, (byte) 63)));
      RemoteTensor end = remote.view(DType.INT8, Shape.of(7), 3);
      assertThat(end.download().toLongArray()).containsExactly(3, 4, 5, 6, 7, 8, 9);
      assertThat(received).hasSize(7);
      peer.finish();
    }
  }

  private static Block block(Connection client) throws Exception {
    TensorView view = client.tensor();
    byte[] bytes = new byte[(int) client.content().readLong()];
    client.content().readInto(MemorySegment.ofArray(bytes));
    List<Byte> content = new ArrayList<>();
    for (byte b : bytes) {
      content.add(b);
    }
    return new Block(view.byteOffset(), content);
  }

  @Test
  void aBoundThatLeavesNoRoomIsSaid() throws Exception {
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin();
                  client.expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(8);
                  client.expect(PacketCode.GET_GLOBAL_FUNC).handle(9);
                  client.expect(PacketCode.CALL_FUNC).answer(1L, (long) HEADER);
                  client.expect(PacketCode.FREE_HANDLE).answer((Object) null);
                  client.expect(PacketCode.DEV_FREE_DATA).answer((Object) null);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT);
        Tensor local = numbers(10)) {
      assertThatThrownBy(() -> session.upload(local, DeviceId.CPU))
          .isInstanceOf(RpcException.class)
          .hasMessage(
              peer.endpoint()
                  + " takes packets of at most 60 bytes, which is too little to copy a tensor of 1"
                  + " dimensions");
      peer.finish();
    }
  }

  @Test
  void aCopyNeedsContiguousMemoryOfTheSameSize() throws Exception {
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(8);
                  client.expect(PacketCode.SHUTDOWN);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT);
        Tensor local = Tensor.zeros(DType.INT8, Shape.of(2, 3));
        Tensor transposed = local.permute(1, 0);
        Tensor smaller = Tensor.zeros(DType.INT8, Shape.of(4))) {
      RemoteTensor remote = session.empty(DType.INT8, Shape.of(6), DeviceId.CPU);
      String strided =
          "a copy needs a contiguous (row-major) tensor on this side, but this one has strides [1,"
              + " 3] for shape [3, 2]";
      assertThatThrownBy(() -> remote.copyTo(transposed))
          .isInstanceOf(CallException.class)
          .hasMessage(strided);
      assertThatThrownBy(() -> remote.copyFrom(transposed))
          .isInstanceOf(CallException.class)
          .hasMessage(strided);
      assertThatThrownBy(() -> remote.copyFrom(smaller))
          .isInstanceOf(CallException.class)
          .hasMessage("a copy between tensors of 6 and 4 bytes");
      session.close();
      peer.finish();
    }
  }

  @Test
  void aFileIsSentFromItsPagesAndBytesAsTheyAre() throws Exception {
    List<byte[]> files = new ArrayList<>();
    Path file = Files.createTempFile("upload", ".bin");
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(9);
                  for (int i = 0; i < 3; i++) {
                    client.expect(PacketCode.CALL_FUNC).content().readLong();
                    Object[] values = client.values();
                    assertThat(values[0]).isEqualTo("a.bin");
                    files.add((byte[]) values[1]);
                    assertThat(client.content().remaining()).isZero();
                    client.answer(0L, null);
                  }
                  client.expect(PacketCode.FREE_HANDLE).answer((Object) null);
                  client.expect(PacketCode.SHUTDOWN);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      byte[] large = new byte[(1 << 20) + 77];
      large[large.length - 1] = 5;
      Files.write(file, large);
      session.upload("a.bin", file);
      session.upload("a.bin", large);
      Files.write(file, new byte[0]);
      session.upload("a.bin", file);
      Files.delete(file);
      assertThatThrownBy(() -> session.upload("a.bin", file))
          .isInstanceOf(RpcException.class)
          .hasMessage("cannot read " + file + ": java.nio.file.NoSuchFileException: " + file);
      session.close();
      peer.finish();
      assertThat(files.get(0)).isEqualTo(large);
      assertThat(files.get(1)).isEqualTo(large);
      assertThat(files.get(2)).isEmpty();
    }
  }
}
