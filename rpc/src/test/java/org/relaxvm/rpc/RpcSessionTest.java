package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.rpc.RecordedPlay.as;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.io.Npy;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.golden.Transcript;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.WireDevice;
import org.relaxvm.vmcore.vm.Timing;

/** The client against the server, over sockets. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RpcSessionTest {
  private static final Path MODEL = Path.of("../../shared/golden/03-mlp-dynamic-batch");
  private static final DeviceId CPU = DeviceId.CPU;
  private static RpcServer server;

  @BeforeAll
  static void start() {
    server = start(Map.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static RpcServer start(Map<String, PackedFunc> further) {
    Map<String, PackedFunc> functions = new HashMap<>();
    functions.putAll(further);
    return RpcServer.start(
        ServerOptions.DEFAULT
            .withKey("board")
            .withNativeCode(NativeCode.IN_PROCESS)
            .withTestFunctions(true)
            .withFunctions(functions));
  }

  private static RpcSession connect() {
    return RpcSession.connect(server.endpoint().toString(), RpcOptions.DEFAULT.withKey("board"));
  }

  private static @Nullable Object call(RpcSession session, String name, @Nullable Object... args) {
    try (RemoteFunction function = session.requireFunction(name)) {
      return function.call(args);
    }
  }

  @Test
  void valuesGoThereAndBack() {
    try (RpcSession session = connect()) {
      assertThat(session.serverKey()).isEqualTo("board");
      for (Object value :
          new Object[] {
            1L,
            -2.5,
            true,
            "text",
            "",
            new byte[] {1, 0, -1},
            new byte[40],
            DType.parse("int8x4"),
            new DeviceId("cuda", 3)
          }) {
        assertThat(call(session, "golden.echo", value)).isEqualTo(value);
      }
      assertThat(call(session, "golden.echo", (Object) null)).isNull();
      assertThat(call(session, "golden.echo", (byte) 3)).isEqualTo(3L);
      assertThat(call(session, "golden.echo", 0.5f)).isEqualTo(0.5);
      RemoteFunction scale = as(RemoteFunction.class, call(session, "golden.scale", 3));
      assertThat(scale.call(5)).isEqualTo(15L);
      RemoteObject array = as(RemoteObject.class, call(session, "golden.array", 1, "two"));
      assertThat(call(session, "golden.item", array, 1)).isEqualTo("two");
    }
  }

  @Test
  void anErrorLeavesTheSessionAsItWas() {
    try (RpcSession session = connect()) {
      assertThatThrownBy(() -> call(session, "golden.fail", "ValueError", "no such thing"))
          .isInstanceOf(RemoteCallException.class)
          .hasMessage("no such thing\n  at remote call on " + session.peer())
          .satisfies(e -> assertThat(((RelaxException) e).kind()).isEqualTo(ErrorKind.VALUE));
      assertThatThrownBy(() -> session.requireFunction("nobody"))
          .isInstanceOf(RpcException.class)
          .hasMessage(
              "the session with "
                  + session.peer()
                  + " has no function 'nobody'\n"
                  + "  what to do: check the name, and that the server is one that offers it");
      assertThat(call(session, "rpc.test.addone", 1)).isEqualTo(2L);
    }
  }

  @Test
  void filesAreOfOneSession() {
    byte[] content = "content".getBytes(StandardCharsets.UTF_8);
    try (RpcSession first = connect();
        RpcSession second = connect()) {
      first.upload("a.txt", content);
      assertThat(first.download("a.txt")).isEqualTo(content);
      assertThat(Path.of(first.workPath("a.txt")).getFileName()).hasToString("a.txt");
      assertThat(first.workPath("a.txt")).isNotEqualTo(second.workPath("a.txt"));
      assertThatThrownBy(() -> second.download("a.txt")).isInstanceOf(RemoteCallException.class);
      first.remove("a.txt");
      first.remove("a.txt");
      assertThatThrownBy(() -> first.download("a.txt")).isInstanceOf(RemoteCallException.class);
    }
  }

  @Test
  void tensorsAreCopiedAndViewed() {
    try (RpcSession session = connect();
        Tensor local = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
        Tensor transposed = local.permute(1, 0)) {
      RemoteTensor remote = session.upload(local, CPU);
      assertThat(remote.download().toFloatArray()).containsExactly(1, 2, 3, 4, 5, 6);
      assertThat(session.upload(transposed, CPU).download().toFloatArray())
          .containsExactly(1, 4, 2, 5, 3, 6);
      RemoteTensor end = remote.view(DType.FLOAT32, Shape.of(2), 16);
      assertThat(end.download().toFloatArray()).containsExactly(5, 6);
      assertThat(call(session, "golden.sum", end)).isEqualTo(11.0);
      end.copyFrom(Tensor.of(new float[] {7, 8}, Shape.of(2)));
      RemoteTensor copy = session.empty(DType.FLOAT32, Shape.of(2, 3), CPU);
      remote.copyTo(copy);
      assertThat(copy.download().toFloatArray()).containsExactly(1, 2, 3, 4, 7, 8);
      RemoteTensor same = as(RemoteTensor.class, call(session, "golden.echo", copy));
      copy.close();
      assertThat(same.download().toFloatArray()).containsExactly(1, 2, 3, 4, 7, 8);
      assertThatThrownBy(() -> call(session, "golden.sum", copy))
          .isInstanceOf(CallException.class)
          .hasMessage("this remote tensor is closed: it cannot be used any more");
      RemoteTensor nothing = session.empty(DType.INT64, Shape.of(0, 4), CPU);
      assertThat(nothing.download().shape()).isEqualTo(Shape.of(0, 4));
      assertThat(session.upload(Tensor.scalar(7L), CPU).download().toLongArray())
          .containsExactly(7);
    }
  }

  @Test
  void aProgramRunsThereAndIsMeasured() {
    Transcript.assumePresent();
    float[] expected = Npy.read(MODEL.resolve("run1_res.npy")).toFloatArray();
    try (RpcSession session = connect()) {
      session.upload("model.so", MODEL.resolve("model.so"));
      try (RemoteModule module = session.loadModule("model.so");
          RemoteVm vm = module.vm(CPU);
          RemoteTensor x = session.upload(Npy.read(MODEL.resolve("run1_arg0.npy")), CPU)) {
        vm.setInput("main", x);
        vm.invoke("main");
        assertThat(vm.outputArity("main")).isEqualTo(-1);
        RemoteTensor stateful = as(RemoteTensor.class, vm.output("main"));
        RemoteTensor direct = as(RemoteTensor.class, vm.call("main", x));
        for (RemoteTensor result : List.of(stateful, direct)) {
          assertThat(result.download().toFloatArray())
              .containsExactly(expected, Offset.offset(1e-5f));
        }
        vm.saveFunction("main", "saved", false, x);
        Timing timing = vm.timer("saved", CPU).runs(2, 3).time();
        assertThat(timing.results()).hasSize(3);
        assertThat(timing.mean()).isBetween(timing.min(), timing.max());
        assertThat(timing.median()).isBetween(timing.min(), timing.max());
        assertThat(timing.std()).isNotNegative();
        vm.close();
        assertThatThrownBy(() -> vm.invoke("main"))
            .isInstanceOf(CallException.class)
            .hasMessage("this remote virtual machine is closed: it cannot be used any more");
      }
    }
  }

  @Test
  void devicesAreAsked() {
    try (RpcSession session = connect()) {
      assertThat(session.hasDevice(CPU)).isTrue();
      assertThat(session.hasDevice(new DeviceId("cuda", 0))).isFalse();
      assertThat(session.attribute(CPU, 0)).isEqualTo(1L);
      session.synchronize(CPU);
    }
  }

  @Test
  void devicesWithoutANameCanBeSentBack() throws Exception {
    WireDevice unnamed = new WireDevice(99, 1);
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(7);
                  client.expect(PacketCode.CALL_FUNC).answer(6L, unnamed);
                  client.expect(PacketCode.CALL_FUNC).content().readLong();
                  assertThat(client.values()).containsExactly(unnamed);
                  client.answer(6L, new WireDevice(1, -1));
                  client.expect(PacketCode.CALL_FUNC).answer(4L, new OpaquePointer(5));
                  client.expect(PacketCode.CALL_FUNC).content().readLong();
                  assertThat(client.values()).containsExactly(new OpaquePointer(5));
                  client.answer(0L, null);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction function = session.requireFunction("f");
      Object device = function.call();
      assertThat(device).isEqualTo(new DeviceId("type-99", 1));
      assertThatThrownBy(() -> function.call(device))
          .isInstanceOf(RpcException.class)
          .hasMessage("the result is a device of type 1 with the number -1");
      assertThat(function.call(function.call())).isNull();
      peer.finish();
    }
  }

  @Test
  void manyThreadsShareASession() throws Exception {
    try (RpcSession session = connect();
        RemoteFunction addOne = session.requireFunction("rpc.test.addone");
        RemoteFunction sum = session.requireFunction("golden.sum");
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        long first = i * 1000L;
        running.add(
            threads.submit(
                () -> {
                  for (long k = first; k < first + 100; k++) {
                    assertThat(addOne.call(k)).isEqualTo(k + 1);
                    try (Tensor local = Tensor.of(new float[] {k, 1}, Shape.of(2));
                        RemoteTensor remote = session.upload(local, CPU)) {
                      assertThat(sum.call(remote)).isEqualTo(k + 1.0);
                    }
                    session.upload("f" + first, new byte[1000]);
                  }
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        thread.get(60, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aServerThatStopsDuringACallIsATypedError() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    PackedFunc wait =
        (_, result) -> {
          called.countDown();
          try {
            stopped.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          result.setNull();
        };
    RpcServer own = start(Map.of("test.wait", wait));
    try (RpcSession session =
        RpcSession.connect(own.endpoint(), RpcOptions.DEFAULT.withKey("board"))) {
      RemoteFunction function = session.requireFunction("test.wait");
      CompletableFuture<Object> call = CompletableFuture.supplyAsync(() -> function.call());
      called.await();
      own.close();
      assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessageStartingWith("the connection to " + own.endpoint() + " ended: ");
      assertThat(session.isOpen()).isFalse();
    } finally {
      stopped.countDown();
      own.close();
    }
  }
}
