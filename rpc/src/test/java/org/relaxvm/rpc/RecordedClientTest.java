package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.io.Npy;
import org.relaxvm.rpc.golden.ScriptedServer;
import org.relaxvm.rpc.golden.Transcript;

/**
 * This client does what the recorded programs did; what it sends must be what Apache TVM's client
 * sent, and what it understands what that understood.
 */
class RecordedClientTest {
  private static final Path GOLDEN = Path.of("../../shared/golden");
  private static final DeviceId CPU = DeviceId.CPU;

  /** What a program does in the sessions that it opens. */
  @FunctionalInterface
  private interface Play {
    void run(Client client) throws Exception;
  }

  /** Opens sessions, and closes what a program leaves open. */
  private static final class Client {
    private final Endpoint endpoint;
    private final List<AutoCloseable> open = new ArrayList<>();

    Client(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    RpcSession connect() {
      return connect(RpcOptions.DEFAULT);
    }

    RpcSession connect(RpcOptions options, @Nullable Object... constructor) {
      return keep(RpcSession.connect(endpoint, options, constructor));
    }

    <T extends AutoCloseable> T keep(T resource) {
      open.add(resource);
      return resource;
    }

    @Nullable Object keepValue(@Nullable Object value) {
      if (value instanceof AutoCloseable resource) {
        open.add(resource);
      }
      return value;
    }

    RemoteFunction function(RpcSession session, String name) {
      return keep(session.requireFunction(name));
    }

    RemoteTensor upload(RpcSession session, Tensor tensor) {
      return keep(session.upload(tensor, CPU));
    }

    void closeAll() throws Exception {
      for (AutoCloseable resource : open.reversed()) {
        resource.close();
      }
      open.clear();
    }
  }

  @TestFactory
  Stream<DynamicTest> sendsWhatTheOriginalSends() {
    Transcript.assumePresent();
    Map<String, Play> plays = new LinkedHashMap<>();
    plays.put("handshake-ok", Client::connect);
    plays.put(
        "handshake-key",
        c -> c.function(c.connect(RpcOptions.DEFAULT.withKey("alpha")), "rpc.test.addone"));
    plays.put("handshake-wrong-key", RecordedClientTest::wrongKey);
    plays.put("session-constructor", RecordedClientTest::constructors);
    plays.put("two-hops", RecordedClientTest::twoHops);
    plays.put("shutdown", RecordedClientTest::shutdown);
    plays.put("timeout-expires", RecordedClientTest::timeout);
    plays.put("call-scalars", RecordedClientTest::scalars);
    plays.put("call-values", RecordedClientTest::values);
    plays.put("call-objects", RecordedClientTest::objects);
    plays.put("call-refused", RecordedClientTest::refused);
    plays.put("call-errors", RecordedClientTest::errors);
    plays.put("files", RecordedClientTest::files);
    plays.put("module-load", RecordedClientTest::moduleLoad);
    plays.put("tensor-life", RecordedClientTest::tensorLife);
    plays.put("tensor-scope", RecordedClientTest::tensorScope);
    plays.put("tensor-1mib", RecordedClientTest::largeTensor);
    plays.put("tensor-result", RecordedClientTest::tensorResult);
    plays.put("time-evaluator", RecordedClientTest::timeEvaluator);
    plays.put("vm-stateful", RecordedClientTest::vmStateful);
    plays.put("vm-tuples", RecordedClientTest::vmTuples);
    plays.put("vm-saved-function", RecordedClientTest::vmSaved);
    plays.put("vm-two-clients", RecordedClientTest::twoClients);
    plays.put("cpp-session", RecordedClientTest::cppSession);
    plays.put("cpp-vm", RecordedClientTest::cppVm);
    return plays.entrySet().stream()
        .map(play -> DynamicTest.dynamicTest(play.getKey(), () -> play(play.getKey(), play.getValue())));
  }

  private static void play(String name, Play play) throws Exception {
    List<Transcript> transcripts =
        Transcript.ofCase(name).stream()
            .filter(part -> part.contains(".client."))
            .map(Transcript::read)
            .toList();
    try (ScriptedServer server = new ScriptedServer(transcripts)) {
      Client client = new Client(server.endpoint());
      try {
        play.run(client);
      } catch (RpcException e) {
        // The server's comparison says better what was wrong.
        server.finish();
        throw e;
      }
      client.closeAll();
      server.finish();
    }
  }

  private static void wrongKey(Client c) {
    for (String key : List.of("beta", "", "alph")) {
      assertThatThrownBy(() -> c.connect(RpcOptions.DEFAULT.withKey(key)))
          .isInstanceOf(RpcConnectException.class)
          .hasMessageContaining("refuses the key '" + key + "'");
    }
    c.connect(RpcOptions.DEFAULT.withKey("alpha -other=1"));
  }

  private static void constructors(Client c) throws Exception {
    RpcSession session = c.connect(RpcOptions.DEFAULT, "rpc.LocalSession");
    assertThat(c.function(session, "rpc.test.addone").call(41L)).isEqualTo(42L);
    c.closeAll();
    assertThatThrownBy(() -> c.connect(RpcOptions.DEFAULT, "golden.nobody", 1L, "x"))
        .isInstanceOf(RemoteCallException.class)
        .hasMessageContaining("Cannot find session constructor golden.nobody");
    assertThatThrownBy(() -> c.connect(RpcOptions.DEFAULT, "golden.count", 1L, "x"))
        .isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> c.connect(RpcOptions.DEFAULT, "golden.fail", "ValueError", "no session"))
        .isInstanceOf(RemoteCallException.class);
  }

  private static void twoHops(Client c) {
    int port = port(Transcript.read("two-hops.client.0").messages().get(2).bytes());
    RpcSession session =
        c.connect(RpcOptions.DEFAULT, "rpc.Connect", "127.0.0.1", (long) port, "", false);
    assertThat(c.function(session, "rpc.test.addone").call(9L)).isEqualTo(10L);
    RemoteFunction scale = (RemoteFunction) c.keepValue(c.function(session, "golden.scale").call(3L));
    assertThat(scale.call(5L)).isEqualTo(15L);
    assertThatThrownBy(
            () -> c.function(session, "golden.fail").call("ValueError", "far away"))
        .isInstanceOf(RemoteCallException.class)
        .hasMessageContaining("far away");
    RemoteTensor x = c.upload(session, range(6, 2, 3));
    check(x, range(6, 2, 3));
    assertThat(c.function(session, "golden.sum").call(x)).isEqualTo(15.0);
    Object array = c.keepValue(c.function(session, "golden.array").call(1L, 2L));
    assertThat(c.function(session, "golden.item").call(array, 1L)).isEqualTo(2L);
  }

  /** The port is the second argument of the recorded constructor. */
  private static int port(byte[] initialize) {
    MemorySegment bytes = MemorySegment.ofArray(initialize);
    String hex = new String(initialize, StandardCharsets.ISO_8859_1);
    int at = hex.indexOf("127.0.0.1") + "127.0.0.1".length() + Integer.BYTES;
    return (int)
        bytes.get(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, at);
  }

  private static void shutdown(Client c) {
    RpcSession session = c.connect();
    RemoteFunction addOne = session.requireFunction("rpc.test.addone");
    assertThat(addOne.call(1L)).isEqualTo(2L);
    session.close();
    assertThatThrownBy(() -> addOne.call(1L))
        .isInstanceOf(RpcDisconnectedException.class)
        .hasMessageContaining("was closed");
    assertThatThrownBy(() -> session.function("rpc.test.addone"))
        .isInstanceOf(RpcDisconnectedException.class);
  }

  private static void timeout(Client c) {
    RpcSession session = c.connect(RpcOptions.DEFAULT.withSessionTimeout(Duration.ofSeconds(1)));
    assertThatThrownBy(() -> c.function(session, "golden.sleep").call(4L))
        .isInstanceOf(RpcTimeoutException.class)
        .hasMessageContaining("Your 1.0s session has expired");
  }

  private static void scalars(Client c) {
    RpcSession session = c.connect();
    RemoteFunction addOne = c.function(session, "rpc.test.addone");
    assertThat(addOne.call(10)).isEqualTo(11L);
    assertThat(addOne.call(-1L)).isEqualTo(0L);
    assertThat(addOne.call(1L << 62)).isEqualTo((1L << 62) + 1);
    assertThat(addOne.call(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE + 1);
    assertThat(addOne.call(1.5)).isEqualTo(2.5);
    assertThat(addOne.call(true)).isEqualTo(2L);
    assertThat(c.function(session, "rpc.test.strcat").call("abc", 11)).isEqualTo("abc:11");
    assertThat(c.function(session, "rpc.test.runtime_str_concat").call("ab", "c")).isEqualTo("abc");
    assertThat(c.function(session, "rpc.test.runtime_str_concat").call("hello ", "remote world"))
        .isEqualTo("hello remote world");
    RemoteFunction sum =
        (RemoteFunction) c.keepValue(c.function(session, "rpc.test.add_to_lhs").call(7));
    assertThat(sum.call(30)).isEqualTo(37L);
    assertThat(sum.call(31)).isEqualTo(38L);
  }

  private static void values(Client c) {
    RpcSession session = c.connect();
    RemoteFunction echo = c.function(session, "golden.echo");
    RemoteFunction describe = c.function(session, "golden.describe");
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    @Nullable Object[] values = {
      0L, -5L, Long.MAX_VALUE, 0.0, -0.0, 1e300, Double.NaN, Double.POSITIVE_INFINITY, true, false,
      null, "", "a", "seven77", "eight888", "ünïcödé ☃", "x".repeat(300), "in", new byte[0],
      new byte[] {0, -1}, bytes("seven77"), bytes("eight888"), all, bytes("array"), DType.FLOAT32,
      DType.parse("int8x4"), DType.BOOL, DType.parse("handle"), DType.parse("float8_e4m3fn")
    };
    for (Object value : values) {
      assertThat(echo.call(value)).isEqualTo(value);
      describe.call(value);
    }
    assertThatThrownBy(() -> echo.call("in\0ner"))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("contains a zero character");
    assertThat(echo.call(CPU)).isEqualTo(CPU);
    assertThat(describe.call(new DeviceId("cuda", 3))).isEqualTo("Device=cuda:3");
    assertThat(c.function(session, "golden.none").call()).isNull();
    @Nullable Object[] twelve = new Object[12];
    for (int i = 0; i < twelve.length; i++) {
      twelve[i] = i;
    }
    assertThat(c.function(session, "golden.count").call(twelve)).isEqualTo(12L);
    assertThat(describe.call(4)).isEqualTo("int=4");
    describe.call(1, 2.5, "three", null, true, bytes("six"));
  }

  private static void objects(Client c) {
    RpcSession session = c.connect();
    Object shape = golden(c, session, "shape", 2, 3, 4);
    assertThat(golden(c, session, "shape_size", shape)).isEqualTo(3L);
    assertThat(c.function(session, "rpc.testing.GetShapeSize").call(shape)).isEqualTo(3L);
    assertThat(c.function(session, "rpc.testing.GetShapeElem").call(shape, 1)).isEqualTo(3L);
    Object array = golden(c, session, "array", 1, "two", 3.5, null);
    assertThat(golden(c, session, "item", array, 1)).isEqualTo("two");
    assertThat(golden(c, session, "item", array, 3)).isNull();
    golden(c, session, "describe", array);
    Object nested = golden(c, session, "array", array, shape);
    golden(c, session, "item", nested, 0);
    Object item = golden(c, session, "item", nested, 0);
    assertThat(golden(c, session, "item", item, 0)).isEqualTo(1L);
    Object map = golden(c, session, "map");
    assertThat(golden(c, session, "item", map, "b")).isEqualTo(2.5);
    for (int size : new int[] {0, 7, 8, 300}) {
      assertThat((byte[]) golden(c, session, "bytes", size)).hasSize(size);
    }
    assertThat(golden(c, session, "dtype", "float16")).isEqualTo(DType.FLOAT16);
    golden(c, session, "dtype", "");
    assertThat(golden(c, session, "device", 2, 1)).isEqualTo(new DeviceId("cuda", 1));
  }

  private static @Nullable Object golden(
      Client c, RpcSession session, String name, @Nullable Object... args) {
    return c.keepValue(c.function(session, "golden." + name).call(args));
  }

  private static void refused(Client c) {
    RpcSession session = c.connect();
    RemoteFunction echo = c.function(session, "golden.echo");
    List<Object> values =
        List.of(
            (org.relaxvm.api.PackedFunc) (args, result) -> {},
            echo,
            range(3, 3),
            List.of(1, 2),
            Shape.of(1),
            Map.of("a", 1));
    for (Object value : values) {
      assertThatThrownBy(() -> echo.call(value))
          .isInstanceOf(CallException.class)
          .hasMessageContaining("argument #0 cannot be sent");
    }
    assertThat(echo.call(3)).isEqualTo(3L);
  }

  private static void errors(Client c) {
    RpcSession session = c.connect();
    fails(c.function(session, "rpc.test.except"), "abc", "abc");
    RemoteFunction fail = c.function(session, "golden.fail");
    for (String kind :
        List.of("ValueError", "TypeError", "KeyError", "RuntimeError", "NotImplementedError")) {
      fails(fail, "message of " + kind, kind, "message of " + kind);
    }
    fails(fail, "", "ValueError", "");
    fails(fail, "first\nsecond: ünï", "ValueError", "first\nsecond: ünï");
    fails(c.function(session, "golden.deep"), "deep one", 5, "deep one");
    assertThat(session.function("no.such.function")).isEmpty();
    RemoteFunction element = c.function(session, "rpc.testing.GetShapeElem");
    fails(element, "", golden(c, session, "shape", 4, 5), 2);
    fails(c.function(session, "rpc.testing.GetShapeSize"), "Mismatched type", 5);
    RemoteFunction again = c.function(session, "rpc.testing.GetShapeElem");
    fails(again, "Mismatched number", golden(c, session, "shape", 4));
    fails(c.function(session, "golden.none"), "positional", 1);
    assertThat(c.function(session, "rpc.test.addone").call(1)).isEqualTo(2L);
    assertThatThrownBy(() -> fail.call("ValueError", "RPCSessionTimeoutError: no"))
        .isInstanceOf(RpcTimeoutException.class);
  }

  private static void fails(RemoteFunction function, String text, @Nullable Object... args) {
    assertThatThrownBy(() -> function.call(args))
        .isInstanceOf(RemoteCallException.class)
        .hasMessageContaining(text);
  }

  private static void files(Client c) {
    RpcSession session = c.connect();
    session.upload("a.txt", bytes("hello"));
    assertThat(session.download("a.txt")).isEqualTo(bytes("hello"));
    session.upload("empty.bin", new byte[0]);
    assertThat(session.download("empty.bin")).isEmpty();
    byte[] content = new byte[512];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) i;
    }
    session.upload("b.bin", content);
    assertThat(session.download("b.bin")).isEqualTo(content);
    session.remove("a.txt");
    assertThatThrownBy(() -> session.download("a.txt")).isInstanceOf(RemoteCallException.class);
    session.remove("a.txt");
    assertThatThrownBy(() -> session.list("/"))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("has no function 'tvm.rpc.server.listdir'");
    c.function(session, "tvm.rpc.server.upload").call("t.txt", "plain text");
    assertThat(session.download("t.txt")).isEqualTo(bytes("plain text"));
    assertThatThrownBy(() -> session.loadModule("b.bin")).isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> session.loadModule("absent.so"))
        .isInstanceOf(RemoteCallException.class);
    fails(c.function(session, "tvm.rpc.server.download_linked_module"), "link b.bin", "b.bin");
  }

  private static void moduleLoad(Client c) {
    RpcSession session = c.connect();
    session.upload("model.so", GOLDEN.resolve("02-ones-cast-dynamic/model.so"));
    RemoteModule module = c.keep(session.loadModule("model.so"));
    assertThat(module.function("nobody")).isEmpty();
    assertThat(module.function("nobody")).isEmpty();
    RemoteFunction load = c.keep(module.requireFunction("vm_load_executable"));
    RemoteModule vm = (RemoteModule) c.keepValue(load.call());
    assertThat(c.keep(vm.requireFunction("get_function_arity")).call("main")).isEqualTo(1L);
    assertThat(c.keep(vm.requireFunction("get_function_param_name")).call("main", 0))
        .isEqualTo("shape_d");
    Object linked =
        c.function(session, "tvm.rpc.server.download_linked_module").call("model.so");
    assertThat((byte[]) linked).hasSize(32288);
  }

  private static void tensorLife(Client c) {
    RpcSession session = c.connect();
    RemoteTensor e = c.keep(session.empty(DType.FLOAT32, Shape.of(3, 5), CPU));
    float[] quarters = new float[15];
    for (int i = 0; i < quarters.length; i++) {
      quarters[i] = i / 4f;
    }
    e.copyFrom(Tensor.of(quarters, Shape.of(3, 5)));
    check(e, Tensor.of(quarters, Shape.of(3, 5)));
    assertThat(golden(c, session, "sum", e)).isEqualTo(26.25);
    golden(c, session, "describe", e);
    golden(c, session, "fill", e, 2.5);
    assertThat(e.download().toFloatArray()).containsOnly(2.5f);
    RemoteTensor nothing = c.upload(session, Tensor.zeros(DType.INT32, Shape.of(0, 4)));
    assertThat(nothing.download().elementCount()).isZero();
    check(c.upload(session, Tensor.scalar(7L)), Tensor.scalar(7L));
    for (String dtype : List.of("int8", "uint16", "float16", "float64", "bool")) {
      Tensor bits = Tensor.zeros(DType.parse(dtype), Shape.of(6));
      for (int i = 1; i < 6; i += 2) {
        bits.slice(0, i, i + 1).fill(1);
      }
      check(c.upload(session, bits), bits);
    }
    session.synchronize(CPU);
    assertThat(session.hasDevice(CPU)).isTrue();
  }

  private static void tensorScope(Client c) {
    RpcSession session = c.connect();
    c.keep(session.empty(DType.FLOAT32, Shape.of(2, 2), CPU, "global"));
    assertThatThrownBy(() -> session.empty(DType.FLOAT32, Shape.of(2, 2), CPU, "texture"))
        .isInstanceOf(RemoteCallException.class);
    DeviceId cuda = new DeviceId("cuda", 0);
    assertThatThrownBy(() -> session.empty(DType.FLOAT32, Shape.of(2, 2), cuda))
        .isInstanceOf(RemoteCallException.class);
    assertThat(session.hasDevice(cuda)).isFalse();
    assertThat(session.attribute(CPU, 2)).isNull();
    assertThat(session.attribute(CPU, 5)).isNull();
    assertThatThrownBy(() -> session.attribute(cuda, 2)).isInstanceOf(RemoteCallException.class);
  }

  private static void largeTensor(Client c) {
    RpcSession session = c.connect();
    float[] elements = new float[1 << 18];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i % 97;
    }
    Tensor local = Tensor.of(elements, Shape.of(512, 512));
    RemoteTensor remote = c.upload(session, local);
    assertThat(golden(c, session, "sum", remote)).isEqualTo(12581737.0);
    check(remote, local);
  }

  private static void tensorResult(Client c) {
    RpcSession session = c.connect();
    RemoteTensor a = (RemoteTensor) golden(c, session, "tensor", 4);
    assertThat(a.download().toFloatArray()).containsExactly(0, 0.5f, 1, 1.5f);
    assertThat(golden(c, session, "sum", a)).isEqualTo(3.0);
    assertThat(a.device()).isEqualTo(CPU);
    RemoteTensor b = (RemoteTensor) golden(c, session, "matrix", 2, 3, "int32");
    assertThat(b.download().toLongArray()).containsExactly(0, 1, 2, 3, 4, 5);
    RemoteTensor nothing = (RemoteTensor) golden(c, session, "tensor", 0);
    assertThat(nothing.download().shape()).isEqualTo(Shape.of(0));
    golden(c, session, "fill", b, 9);
    assertThat(b.download().toLongArray()).containsOnly(9);
    RemoteFunction same =
        (RemoteFunction)
            c.keepValue(c.function(session, "rpc.test.remote_return_nd").call("get_arr"));
    RemoteTensor x = (RemoteTensor) c.keepValue(same.call());
    RemoteTensor y = (RemoteTensor) c.keepValue(same.call());
    assertThat(x.download().elementCount()).isEqualTo(10);
    assertThat(y.download().elementCount()).isEqualTo(10);
  }

  private static void timeEvaluator(Client c) {
    RpcSession session = c.connect();
    float[] ones = new float[16];
    java.util.Arrays.fill(ones, 1);
    RemoteTensor x = c.upload(session, Tensor.of(ones, Shape.of(4, 4)));
    assertThat(session.timer("golden.sum", CPU).runs(2, 3).time(x).results()).hasSize(3);
    assertThat(
            session
                .timer("golden.sum", CPU)
                .runs(1, 2)
                .flush(0, "cache_flush_cpu_non_first_arg")
                .time(x)
                .results())
        .hasSize(2);
    assertThat(
            session
                .timer("golden.count", CPU)
                .runs(1, 1)
                .atLeast(1, 5)
                .cooldown(1, 1)
                .flush(64, "")
                .time(1, 2)
                .results())
        .hasSize(1);
    assertThatThrownBy(() -> session.timer("golden.nobody", CPU).time(1))
        .isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> session.timer("golden.count", CPU).flush(0, "nobody").time(1))
        .isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> session.timer("golden.fail", CPU).time("ValueError", "while timing"))
        .isInstanceOf(RemoteCallException.class);
  }

  private static RemoteVm vm(Client c, RpcSession session, String folder) {
    session.upload("model.so", GOLDEN.resolve(folder).resolve("model.so"));
    return c.keep(c.keep(session.loadModule("model.so")).vm(CPU));
  }

  private static Tensor input(String folder, String name) {
    return Npy.read(GOLDEN.resolve(folder).resolve(name));
  }

  private static void vmStateful(Client c) {
    String folder = "03-mlp-dynamic-batch";
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, folder);
    assertThatThrownBy(() -> vm.invoke("main")).isInstanceOf(RemoteCallException.class);
    RemoteTensor x = c.upload(session, input(folder, "run1_arg0.npy"));
    vm.setInput("main", x);
    vm.invoke("main");
    assertThat(vm.outputArity("main")).isEqualTo(-1);
    RemoteTensor y = (RemoteTensor) c.keepValue(vm.output("main"));
    float[] expected = input(folder, "run1_res.npy").toFloatArray();
    assertThat(y.download().toFloatArray()).containsExactly(expected, within());
    assertThat(vm.parameterCount("main")).isEqualTo(1);
    assertThat(vm.parameterName("main", 0)).isEqualTo("x");
    vm.setInput("main", x);
    vm.invoke("main");
    assertThat(vm.outputArity("main")).isEqualTo(-1);
    RemoteTensor again = (RemoteTensor) c.keepValue(vm.output("main"));
    assertThat(again.download().toFloatArray()).containsExactly(expected, within());
    RemoteTensor direct = (RemoteTensor) c.keepValue(vm.call("main", x));
    assertThat(direct.download().toFloatArray()).containsExactly(expected, within());
    RemoteTensor bad = c.upload(session, input(folder, "run3_arg0.npy"));
    assertThatThrownBy(() -> vm.call("main", bad)).isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> vm.setInput("main", input(folder, "run1_arg0.npy")))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("a local tensor");
    assertThatThrownBy(() -> vm.setInput("nobody", x)).isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> vm.call("nobody", x))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("has no function 'nobody'");
  }

  private static org.assertj.core.data.Offset<Float> within() {
    return org.assertj.core.data.Offset.offset(1e-5f);
  }

  private static void vmTuples(Client c) {
    String folder = "06-control-flow";
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, folder);
    RemoteTensor a = c.upload(session, input(folder, "run2_arg0.npy"));
    RemoteTensor b = c.upload(session, input(folder, "run2_arg1.npy"));
    vm.setInput("pair", a, b);
    vm.invoke("pair");
    assertThat(vm.outputArity("pair")).isEqualTo(2);
    assertThat(vm.outputArity("pair", 0)).isEqualTo(-1);
    Object first = c.keepValue(vm.output("pair", 0));
    assertThat(vm.outputArity("pair", 1)).isEqualTo(2);
    assertThat(vm.outputArity("pair", 1, 0)).isEqualTo(-1);
    Object second = c.keepValue(vm.output("pair", 1, 0));
    assertThat(vm.outputArity("pair", 1, 1)).isEqualTo(-1);
    Object third = c.keepValue(vm.output("pair", 1, 1));
    for (Object leaf : List.of(first, second, third)) {
      assertThat(((RemoteTensor) leaf).download().elementCount()).isPositive();
    }
    Object tuple = c.keepValue(vm.call("pair", a, b));
    ((RemoteTensor) golden(c, session, "item", tuple, 0)).download();
    RemoteTensor k = c.upload(session, input(folder, "run3_arg1.npy"));
    RemoteFunction power = c.keep(vm.function("power"));
    RemoteTensor base = c.upload(session, input(folder, "run3_arg0.npy"));
    ((RemoteTensor) c.keepValue(power.call(base, k))).download();
    RemoteTensor yes = c.upload(session, Tensor.of(new boolean[] {true}, Shape.scalar()));
    vm.setInput("pick", yes, c.upload(session, input(folder, "run0_arg1.npy")));
    vm.invoke("pick");
    vm.outputArity("pick");
    ((RemoteTensor) c.keepValue(vm.output("pick"))).download();
  }

  private static void vmSaved(Client c) {
    String folder = "02-ones-cast-dynamic";
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, folder);
    RemoteTensor x = c.upload(session, Tensor.zeros(DType.INT32, Shape.of(2, 3)));
    vm.saveFunction("main", "saved", true, x);
    RemoteTensor saved = (RemoteTensor) c.keepValue(vm.call("saved"));
    assertThat(saved.download().toLongArray()).containsOnly(1).hasSize(6);
    vm.saveFunction("main", "saved2", false, x);
    assertThat(vm.call("saved2")).isNull();
    assertThat(vm.timer("saved", CPU).runs(2, 2).time().results()).hasSize(2);
    vm.saveFunction("main", "saved", true, x);
    assertThat(vm.call("get_function_arity", "main")).isEqualTo(1L);
    try (RemoteFunction main = vm.function("main")) {
      RemoteTensor bad = c.upload(session, Tensor.zeros(DType.INT64, Shape.of(2, 3)));
      fails(main, "expect Tensor with dtype int32", bad);
    }
  }

  private static void twoClients(Client c) throws Exception {
    c.connect().upload("one.txt", bytes("first"));
    c.closeAll();
    RpcSession second = c.connect();
    assertThatThrownBy(() -> second.download("one.txt")).isInstanceOf(RemoteCallException.class);
  }

  private static void cppSession(Client c) {
    assertThatThrownBy(() -> c.connect(RpcOptions.DEFAULT.withKey("cy")))
        .isInstanceOf(RpcConnectException.class);
    RpcSession session = c.connect(RpcOptions.DEFAULT.withKey("cx"));
    assertThat(session.function("rpc.test.addone")).isEmpty();
    session.upload("a.bin", bytes("one"));
    session.upload("b.bin", bytes("four"));
    assertThat(session.list(".")).hasSize(2);
    assertThat(session.download("a.bin")).isEqualTo(bytes("one"));
    session.remove("a.bin");
    assertThatThrownBy(() -> session.download("a.bin")).isInstanceOf(RemoteCallException.class);
    assertThatThrownBy(() -> session.loadModule("b.bin")).isInstanceOf(RemoteCallException.class);
    RemoteTensor x = c.upload(session, range(6, 6));
    check(x, range(6, 6));
    fails(c.function(session, "rpc.testing.GetShapeSize"), "Mismatched type", 3);
  }

  private static void cppVm(Client c) {
    RpcSession session = c.connect();
    RemoteVm vm = vm(c, session, "02-ones-cast-dynamic");
    RemoteTensor x = c.upload(session, Tensor.zeros(DType.INT32, Shape.of(2, 2)));
    vm.setInput("main", x);
    vm.invoke("main");
    vm.outputArity("main");
    RemoteTensor result = (RemoteTensor) c.keepValue(vm.output("main"));
    assertThat(result.download().toLongArray()).containsOnly(1).hasSize(4);
  }

  private static void check(RemoteTensor remote, Tensor local) {
    try (Tensor copy = remote.download()) {
      assertThat(copy.dtype()).isEqualTo(local.dtype());
      assertThat(copy.shape()).isEqualTo(local.shape());
      assertThat(copy.segment().mismatch(local.segment())).isEqualTo(-1);
    }
  }

  private static Tensor range(int count, long... dims) {
    float[] elements = new float[count];
    for (int i = 0; i < count; i++) {
      elements[i] = i;
    }
    return Tensor.of(elements, Shape.of(dims));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
