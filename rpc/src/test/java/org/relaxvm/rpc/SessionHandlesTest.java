package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;

/** Handles are given back once, and not while a call uses them; what cannot be sent is refused. */
@Isolated("waits for the garbage collector")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionHandlesTest {
  private static RpcSession connect(FakePeer peer) {
    return RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT);
  }

  @Test
  void aForgottenHandleIsGivenBackBeforeALaterRequest() throws Exception {
    CountDownLatch freed = new CountDownLatch(1);
    List<Long> handles = new ArrayList<>();
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(7);
                  for (PacketCode code = client.next();
                      code != PacketCode.SHUTDOWN;
                      code = client.next()) {
                    if (code == PacketCode.FREE_HANDLE) {
                      handles.add(((OpaquePointer) client.values()[0]).value());
                      freed.countDown();
                    }
                    client.answer((Object) null);
                  }
                });
        RpcSession session = connect(peer)) {
      forget(session);
      for (int i = 0; i < 1_000 && freed.getCount() > 0; i++) {
        System.gc();
        session.synchronize(DeviceId.CPU);
      }
      session.close();
      peer.finish();
      assertThat(handles).containsExactly(7L);
    }
  }

  /** A method of its own, so that no frame refers to the function. */
  private static void forget(RpcSession session) {
    assertThat(session.requireFunction("f").typeIndex()).isEqualTo(68);
  }

  @Test
  void aHandleIsGivenBackOnce() throws Exception {
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(7);
                  client.expect(PacketCode.FREE_HANDLE);
                  assertThat(client.values()).containsExactly(new OpaquePointer(7));
                  client.answer((Object) null);
                  client.expect(PacketCode.SHUTDOWN);
                });
        RpcSession session = connect(peer)) {
      RemoteFunction function = session.requireFunction("f");
      function.close();
      function.close();
      assertThatThrownBy(() -> function.call())
          .isInstanceOf(CallException.class)
          .hasMessage("this remote function f is closed: it cannot be used any more");
      session.close();
      function.close();
      peer.finish();
    }
  }

  @Test
  void closingATensorDuringACallWaitsForTheAnswer() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(7);
                  client.expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(8);
                  client.expect(PacketCode.CALL_FUNC);
                  called.countDown();
                  closed.await();
                  client.answer(0L, null);
                  client.expect(PacketCode.DEV_FREE_DATA).answer((Object) null);
                  client.expect(PacketCode.DEV_STREAM_SYNC).answer((Object) null);
                });
        RpcSession session = connect(peer)) {
      RemoteFunction function = session.requireFunction("f");
      RemoteTensor tensor = session.empty(DType.INT8, Shape.of(4), DeviceId.CPU);
      CompletableFuture<Void> call = CompletableFuture.runAsync(() -> function.call(tensor));
      called.await();
      tensor.close();
      closed.countDown();
      call.get(10, TimeUnit.SECONDS);
      session.synchronize(DeviceId.CPU);
      peer.finish();
    }
  }

  @Test
  void memoryIsGivenBackWithItsLastView() throws Exception {
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(8);
                  client.expect(PacketCode.DEV_STREAM_SYNC).answer((Object) null);
                  client.expect(PacketCode.DEV_FREE_DATA).answer((Object) null);
                  client.expect(PacketCode.SHUTDOWN);
                });
        RpcSession session = connect(peer)) {
      RemoteTensor whole = session.empty(DType.INT8, Shape.of(8), DeviceId.CPU);
      RemoteTensor part = whole.view(DType.INT8, Shape.of(4), 4);
      RemoteTensor end = part.view(DType.INT16, Shape.of(1), 2);
      assertThat(end.byteOffset()).isEqualTo(6);
      whole.close();
      end.close();
      session.synchronize(DeviceId.CPU);
      assertThatThrownBy(() -> part.view(DType.INT8, Shape.of(4), 1))
          .isInstanceOf(CallException.class)
          .hasMessage("a view of 4 bytes at offset 1 does not fit a tensor of 4 bytes");
      part.close();
      assertThatThrownBy(() -> part.view(DType.INT8, Shape.of(4), 0))
          .isInstanceOf(CallException.class)
          .hasMessage("this remote tensor is closed: it cannot be used any more");
      session.close();
      peer.finish();
    }
  }

  @Test
  void whatCannotBeSentIsRefusedBeforeAnythingIsSent() throws Exception {
    try (FakePeer other = new FakePeer(client -> beginWithObjects(client));
        FakePeer peer =
            new FakePeer(
                client -> {
                  beginWithObjects(client);
                  client.expect(PacketCode.CALL_FUNC).answer(0L, null);
                  client.expect(PacketCode.SHUTDOWN);
                });
        RpcSession elsewhere = connect(other);
        RpcSession session = connect(peer)) {
      RemoteFunction function = session.requireFunction("f");
      RemoteTensor tensor = session.empty(DType.INT8, Shape.of(4), DeviceId.CPU);
      RemoteFunction foreignFunction = elsewhere.requireFunction("f");
      RemoteTensor foreign = elsewhere.empty(DType.INT8, Shape.of(4), DeviceId.CPU);
      String expected =
          "\n"
              + "  expected: numbers, booleans, strings, bytes, data types, devices, objects of"
              + " types with a key, and what the session gave out";
      refuses(
          function,
          (PackedFunc) (args, result) -> {},
          "argument #1 cannot be sent: it is a function: only the server can make one" + expected);
      refuses(
          function,
          foreignFunction,
          "argument #1 cannot be sent: it is a function: the protocol has no call-backs"
              + expected);
      refuses(
          function,
          Shape.of(1, 2),
          "argument #1 cannot be sent: it is a shape: only the server can make one" + expected);
      refuses(
          function,
          Tuple.of(1L),
          "argument #1 cannot be sent: it is a tuple: only the server can make one" + expected);
      try (Tensor local = Tensor.scalar(1)) {
        refuses(
            function,
            local,
            "argument #1 cannot be sent: it is a local tensor: upload it with"
                + " session.upload(tensor, device)"
                + expected);
      }
      refuses(
          function,
          BigInteger.TWO,
          "argument #1 cannot be sent: it is of type java.math.BigInteger: only the server can make"
              + " one"
              + expected);
      refuses(
          function,
          "a\0b",
          "argument #1 contains a zero character, which ends text in the protocol");
      refuses(
          function,
          foreign,
          "argument #1 belongs to another session\n  expected: "
              + session
              + "\n  got: "
              + elsewhere);
      assertThat(function.call(tensor)).isNull();
      assertThatThrownBy(() -> tensor.copyTo(foreign))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "cannot copy from a tensor of "
                  + session
                  + " to one of "
                  + elsewhere
                  + "\n  what to do: download it, and upload it there");
      session.close();
      peer.finish();
    }
  }

  private static void beginWithObjects(FakePeer.Connection client) throws Exception {
    client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(7);
    client.expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(8);
  }

  private static void refuses(RemoteFunction function, Object argument, String message) {
    assertThatThrownBy(() -> function.call("first", argument))
        .isInstanceOf(CallException.class)
        .hasMessage(message);
  }
}
