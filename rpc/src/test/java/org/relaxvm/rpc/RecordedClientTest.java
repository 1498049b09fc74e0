package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.rpc.RecordedPlay.CPU;
import static org.relaxvm.rpc.RecordedPlay.GOLDEN;
import static org.relaxvm.rpc.RecordedPlay.as;
import static org.relaxvm.rpc.RecordedPlay.bytes;
import static org.relaxvm.rpc.RecordedPlay.check;
import static org.relaxvm.rpc.RecordedPlay.fails;
import static org.relaxvm.rpc.RecordedPlay.golden;
import static org.relaxvm.rpc.RecordedPlay.range;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.rpc.RecordedPlay.Client;
import org.relaxvm.rpc.RecordedPlay.Program;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.golden.Transcript;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;

/**
 * This client does what the recorded programs did with functions and files; what it sends must be
 * what Apache TVM's client sent, and what it understands what that understood.
 */
class RecordedClientTest {
  @TestFactory
  Stream<DynamicTest> sendsWhatTheOriginalSends() {
    Map<String, Program> plays = new LinkedHashMap<>();
    plays.put("handshake-ok", Client::connect);
    plays.put(
        "handshake-key",
        c -> c.function(c.connect(RpcOptions.DEFAULT.withKey("alpha")), "rpc.test.addone"));
    plays.put("handshake-wrong-key", RecordedClientTest::wrongKey);
    plays.put("session-constructor", RecordedClientTest::constructors);
    plays.put("two-hops", RecordedClientTest::twoHops);
    plays.put("shutdown", RecordedClientTest::shutdown);
    plays.put("abrupt-close", RecordedClientTest::abruptClose);
    plays.put("timeout-expires", RecordedClientTest::timeout);
    plays.put("call-scalars", RecordedClientTest::scalars);
    plays.put("call-values", RecordedClientTest::values);
    plays.put("call-objects", RecordedClientTest::objects);
    plays.put("call-refused", RecordedClientTest::refused);
    plays.put("call-errors", RecordedClientTest::errors);
    plays.put("files", RecordedClientTest::files);
    plays.put("module-load", RecordedClientTest::moduleLoad);
    plays.put("vm-two-clients", RecordedClientTest::twoClients);
    plays.put("cpp-session", RecordedClientTest::cppSession);
    plays.put("cpp-timeout", RecordedClientTest::cppTimeout);
    plays.put("popen-session", RecordedClientTest::popen);
    return RecordedPlay.tests(plays);
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
    assertThatThrownBy(
            () -> c.connect(RpcOptions.DEFAULT, "golden.fail", "ValueError", "no session"))
        .isInstanceOf(RemoteCallException.class);
  }

  private static void twoHops(Client c) {
    int port = port(Transcript.read("two-hops.client.0").messages().get(2).bytes());
    RpcSession session =
        c.connect(RpcOptions.DEFAULT, "rpc.Connect", "127.0.0.1", (long) port, "", false);
    assertThat(c.function(session, "rpc.test.addone").call(9L)).isEqualTo(10L);
    RemoteFunction scale =
        as(RemoteFunction.class, c.keepValue(c.function(session, "golden.scale").call(3L)));
    assertThat(scale.call(5L)).isEqualTo(15L);
    assertThatThrownBy(() -> c.function(session, "golden.fail").call("ValueError", "far away"))
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
    return (int) bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
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
        as(RemoteFunction.class, c.keepValue(c.function(session, "rpc.test.add_to_lhs").call(7)));
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
      0L,
      -5L,
      Long.MAX_VALUE,
      0.0,
      -0.0,
      1e300,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      true,
      false,
      null,
      "",
      "a",
      "seven77",
      "eight888",
      "ünïcödé ☃",
      "x".repeat(300),
      "in",
      new byte[0],
      new byte[] {0, -1},
      bytes("seven77"),
      bytes("eight888"),
      all,
      bytes("array"),
      DType.FLOAT32,
      DType.parse("int8x4"),
      DType.BOOL,
      DType.parse("handle"),
      DType.parse("float8_e4m3fn")
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

  private static void refused(Client c) {
    RpcSession session = c.connect();
    RemoteFunction echo = c.function(session, "golden.echo");
    List<Object> values =
        List.of(
            (PackedFunc) (args, result) -> {},
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
    RemoteModule vm = as(RemoteModule.class, c.keepValue(load.call()));
    assertThat(c.keep(vm.requireFunction("get_function_arity")).call("main")).isEqualTo(1L);
    assertThat(c.keep(vm.requireFunction("get_function_param_name")).call("main", 0))
        .isEqualTo("shape_d");
    Object linked = c.function(session, "tvm.rpc.server.download_linked_module").call("model.so");
    assertThat((byte[]) linked).hasSize(32288);
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

  @Test
  void aSessionCanBeMadeThroughAProxy() throws Exception {
    Transcript.assumePresent();
    RecordedPlay.play(
        "proxy-session",
        ".client.",
        c -> {
          RpcSession session = c.connect(RpcOptions.DEFAULT.withKey("px"));
          assertThat(session.serverKey()).isEqualTo("px");
          assertThat(c.function(session, "rpc.test.addone").call(6)).isEqualTo(7L);
          fails(c.function(session, "golden.fail"), "by proxy", "ValueError", "by proxy");
          c.closeAll();
          RpcSession second =
              c.connect(
                  RpcOptions.DEFAULT.withKey("px").withSessionTimeout(Duration.ofSeconds(25)));
          assertThat(c.function(second, "rpc.test.strcat").call("p", 2)).isEqualTo("p:2");
        });
  }

  @Test
  void aSessionIsMadeWithTheKeyThatATrackerGave() throws Exception {
    Transcript.assumePresent();
    String hello =
        new String(
            Transcript.read("tracker-session.data.0").messages().getFirst().bytes(),
            StandardCharsets.UTF_8);
    String key = hello.substring(hello.indexOf("client:") + "client:".length());
    RecordedPlay.play(
        "tracker-session",
        ".data.0",
        c -> {
          RpcSession session = c.connect(RpcOptions.DEFAULT.withKey(key));
          assertThat(session.serverKey()).isEqualTo("board");
          assertThat(c.function(session, "rpc.test.addone").call(1)).isEqualTo(2L);
        });
  }

  @Test
  void theCppServerServesOthersAfterABadSession() throws Exception {
    Transcript.assumePresent();
    RecordedPlay.play(
        "cpp-bad-code", ".client.1", c -> c.function(c.connect(), "rpc.testing.GetShapeSize"));
  }

  private static void abruptClose(Client c) throws Exception {
    try (Link link = Sockets.connect(c.endpoint(), null, Duration.ofSeconds(10))) {
      RpcSession session = RpcSession.over(link, RpcOptions.DEFAULT);
      link.close();
      assertThatThrownBy(() -> session.function("rpc.test.addone"))
          .isInstanceOf(RpcDisconnectedException.class);
    }
    c.connect();
  }

  private static void cppTimeout(Client c) {
    RpcSession session = c.connect(RpcOptions.DEFAULT.withSessionTimeout(Duration.ofSeconds(1)));
    RemoteFunction size = c.function(session, "rpc.testing.GetShapeSize");
    assertThatThrownBy(() -> size.call(1)).isInstanceOf(RpcDisconnectedException.class);
  }

  private static void popen(Client c) throws Exception {
    Socket pipe = c.keep(new Socket(c.endpoint().host(), c.endpoint().port()));
    Link link = Sockets.over(pipe.getInputStream(), pipe.getOutputStream(), pipe, "minrpc");
    RpcSession session = c.keep(RpcSession.overPipe(link, RpcOptions.DEFAULT));
    assertThat(session.function("rpc.test.addone")).isEmpty();
    fails(c.function(session, "rpc.testing.GetShapeSize"), "Mismatched type on argument #0", 1);
    RemoteTensor x = c.upload(session, range(6, 6));
    check(x, range(6, 6));
    RemoteTensor nothing = c.keep(session.empty(DType.INT8, Shape.of(0), CPU));
    assertThat(nothing.download().shape()).isEqualTo(Shape.of(0));
  }
}
