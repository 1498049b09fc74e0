package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.golden.FakePeer.Connection;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.WireDevice;

/** A session that fails says why, and says so again at each later request. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionFailureTest {
  private static final long HANDLE = 42;

  /** What the server does after it gave out a function. */
  @FunctionalInterface
  private interface Misdeed {
    void run(Connection client) throws Exception;
  }

  private static FakePeer server(Misdeed misdeed) throws IOException {
    return new FakePeer(
        client -> {
          client.begin().expect(PacketCode.GET_GLOBAL_FUNC);
          client.handle(HANDLE);
          client.expect(PacketCode.CALL_FUNC);
          misdeed.run(client);
        });
  }

  private static String where(String text, FakePeer peer) {
    return text.replace("HOST", peer.endpoint().toString());
  }

  /** Calls the function, which fails and ends the session. */
  private static void ends(
      Misdeed misdeed, Duration limit, Class<? extends Throwable> type, String first, String then)
      throws Exception {
    try (FakePeer peer = server(misdeed);
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction function = session.requireFunction("f");
      session.calls().conversation().limit(limit);
      assertThatThrownBy(() -> function.call(1L)).isInstanceOf(type).hasMessage(where(first, peer));
      assertThat(session.isOpen()).isFalse();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> function.call(1L))
            .isInstanceOf(RpcDisconnectedException.class)
            .hasMessage(where(then, peer));
      }
      function.close();
      peer.finish();
    }
  }

  private static void ends(Misdeed misdeed, Class<? extends Throwable> type, String first)
      throws Exception {
    String problem =
        first
            .lines()
            .filter(line -> !line.startsWith("  what to do"))
            .reduce((a, b) -> a + "\n" + b)
            .orElseThrow();
    boolean repeated = type == RpcDisconnectedException.class;
    ends(
        misdeed,
        Duration.ZERO,
        type,
        first,
        repeated ? first : "the session with HOST has ended: " + problem);
  }

  // ---------------------------------------------------------------- connection

  @Test
  void theServerClosesInsteadOfAnswering() throws Exception {
    ends(
        _ -> {},
        RpcDisconnectedException.class,
        "the connection to HOST ended: HOST closed the connection instead of answering\n"
            + "  what to do: connect anew; what the session held on the server is gone");
  }

  @Test
  void theServerClosesInTheMiddleOfAnAnswer() throws Exception {
    ends(
        client -> client.raw("20 00 00 00 00 00 00 00  04 00 00 00  02 00 00 00  01 00"),
        RpcDisconnectedException.class,
        "the connection to HOST ended: HOST closed the connection in the middle of a message\n"
            + "  what to do: connect anew; what the session held on the server is gone");
  }

  @Test
  void theServerEndsTheSession() throws Exception {
    ends(
        client -> client.raw("04 00 00 00 00 00 00 00  01 00 00 00"),
        RpcDisconnectedException.class,
        "the connection to HOST ended: HOST ended the session: it could not read the last request\n"
            + "  what to do: connect anew; what the session held on the server is gone");
  }

  @Test
  void theServerDoesNotAnswerInTime() throws Exception {
    ends(
        client -> assertThat(client.isEnd()).isTrue(),
        Duration.ofMillis(200),
        RpcTimeoutException.class,
        "HOST did not answer within 200 ms, which ended the session\n"
            + "  what to do: raise the limit for answers (RpcOptions.withCallTimeout, --timeout),"
            + " or see whether the server hangs",
        "the session with HOST has ended: HOST did not answer within 200 ms, which ended the"
            + " session");
  }

  @Test
  void theServerReadsNothing() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC).handle(HANDLE);
                  failed.await();
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction function = session.requireFunction("f");
      session.calls().conversation().limit(Duration.ofMillis(200));
      assertThatThrownBy(() -> function.call(new byte[64 << 20]))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessageStartingWith(peer.endpoint() + " did not answer within 200 ms");
      failed.countDown();
      peer.finish();
    }
  }

  @Test
  void theTimeOfTheSessionIsOver() throws Exception {
    String text =
        "RPCSessionTimeoutError: Your 1.0s session has expired, try to increase the"
            + " \"session_timeout\" value.";
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin();
                  client.error(text);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      // The server closes before anything was asked.
      peer.finish();
      String over =
          "the session with "
              + peer.endpoint()
              + " is over: Your 1.0s session has expired, try to increase the \"session_timeout\""
              + " value.\n  what to do: ask for more time (RpcOptions.withSessionTimeout)";
      assertThatThrownBy(() -> session.function("f"))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessage(over);
      assertThatThrownBy(() -> session.function("f"))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessage(over);
    }
  }

  @Test
  void closingEndsACallOfAnotherThread() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    try (FakePeer peer =
            server(
                client -> {
                  called.countDown();
                  assertThat(client.isEnd()).isTrue();
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction function = session.requireFunction("f");
      CompletableFuture<Object> call = CompletableFuture.supplyAsync(() -> function.call(1L));
      called.await();
      session.close();
      assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessage(
              "the connection to "
                  + peer.endpoint()
                  + " ended: the session was closed while a request was made\n"
                  + "  what to do: connect anew; what the session held on the server is gone");
      peer.finish();
    }
  }

  @Test
  void anInterruptEndsTheSession() throws Exception {
    CompletableFuture<Thread> caller = new CompletableFuture<>();
    try (FakePeer peer =
            server(
                client -> {
                  caller.get().interrupt();
                  assertThat(client.isEnd()).isTrue();
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction function = session.requireFunction("f");
      CompletableFuture<Object> call =
          CompletableFuture.supplyAsync(
              () -> {
                caller.complete(Thread.currentThread());
                try {
                  return function.call(1L);
                } finally {
                  Thread.interrupted();
                }
              });
      assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessage(
              "the request was interrupted, which closed the session with " + peer.endpoint());
      peer.finish();
    }
  }

  // ---------------------------------------------------------------- garbage

  private static void garbage(Misdeed misdeed, String what) throws Exception {
    ends(
        misdeed,
        RpcProtocolException.class,
        "HOST sent what the protocol does not allow: "
            + what
            + "\n  expected: a server of TVM 0.22 or newer, or of RelaxVM");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ff ff ff ff ff ff ff ff"
            + "| a packet of 18446744073709551615 bytes; at most 1099511627776 are allowed",
        "03 00 00 00 00 00 00 00 01 02 03" + "| a packet of 3 bytes, which has no room for a code",
        "04 00 00 00 00 00 00 00 4d 00 00 00"
            + "| an answer with the code 77, where 4 was expected",
        "04 00 00 00 00 00 00 00 08 00 00 00" + "| an answer with the code 8, where 4 was expected",
        "08 00 00 00 00 00 00 00 04 00 00 00 ff ff ff 7f"
            + "| a sequence of 2147483647 values; at most 4096 are allowed",
        "0c 00 00 00 00 00 00 00 04 00 00 00 02 00 00 00 01 00 00 00"
            + "| the packet is too short for 2 values: 4 bytes are left",
        "0c 00 00 00 00 00 00 00 04 00 00 00 01 00 00 00 0a 00 00 00"
            + "| a value of the unknown type 10",
        "14 00 00 00 00 00 00 00 04 00 00 00 01 00 00 00 08 00 00 00 00 00 00 70 00 00 00 00"
            + "| the packet is too short: 1879048192 bytes are needed, but 0 are left",
        "10 00 00 00 00 00 00 00 04 00 00 00 01 00 00 00 00 00 00 00 00 00 00 00"
            + "| 4 bytes after the end of an answer",
        "08 00 00 00 00 00 00 00 05 00 00 00 00 00 00 00| an error without a text"
      })
  void anAnswerThatIsNoneIsRefused(String hex, String what) throws Exception {
    garbage(client -> client.raw(hex), what);
  }

  @Test
  void aResultOfNoTypeIsRefused() throws Exception {
    for (Object[] values : new Object[][] {{}, {1L}, {1L, 2.5}, {3L, null}, {70L, null, null}}) {
      StringBuilder got = new StringBuilder();
      for (Object value : values) {
        got.append(got.isEmpty() ? "" : ", ").append(value instanceof Double ? "Double" : value);
      }
      ends(
          client -> client.answer(values),
          RpcProtocolException.class,
          "HOST sent what is no result of a call\n"
              + "  expected: the number of a type, and a value of it\n"
              + "  got: "
              + (got.isEmpty() ? "nothing" : got));
    }
  }

  @Test
  void aCopyOfAnotherSizeIsRefused() throws Exception {
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.DEV_ALLOC_DATA_WITH_SCOPE).handle(7);
                  client.expect(PacketCode.GET_GLOBAL_FUNC).handle(0);
                  client.expect(PacketCode.COPY_FROM_REMOTE).bytes(new byte[3]);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteTensor tensor = session.empty(DType.INT8, Shape.of(4), DeviceId.CPU);
      assertThatThrownBy(tensor::download)
          .isInstanceOf(RpcProtocolException.class)
          .hasMessage(
              peer.endpoint()
                  + " sent what the protocol does not allow: 3 bytes for a copy of 4\n"
                  + "  expected: a server of TVM 0.22 or newer, or of RelaxVM");
      peer.finish();
    }
  }

  // ---------------------------------------------------------------- eras

  @Test
  void aServerOfTheFirstEraIsNamedByItsHandles() throws Exception {
    try (FakePeer peer =
            new FakePeer(
                client -> {
                  client.begin().expect(PacketCode.GET_GLOBAL_FUNC);
                  client.raw(
                      "14 00 00 00 00 00 00 00  04 00 00 00  01 00 00 00  03 00 00 00"
                          + " 2a 00 00 00 00 00 00 00");
                  assertThat(client.isEnd()).isTrue();
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      String problem =
          peer.endpoint()
              + " is a server of TVM 0.8 to 0.20, whose values have another encoding\n"
              + "  expected: TVM 0.22 or newer, or RelaxVM";
      assertThatThrownBy(() -> session.function("f"))
          .isInstanceOf(RpcProtocolException.class)
          .hasMessage(problem + "\n  what to do: update the server");
      assertThatThrownBy(() -> session.function("f"))
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessage("the session with " + peer.endpoint() + " has ended: " + problem);
      peer.finish();
    }
  }

  @Test
  void aServerOf021IsNamedByItsTensors() throws Exception {
    TensorView view = new TensorView(1, new WireDevice(1, 0), DType.FLOAT32, Shape.of(2), 0);
    ends(
        client -> client.answer(72L, view, new OpaquePointer(5)),
        RpcProtocolException.class,
        "HOST is a server of TVM 0.21, whose types have other numbers\n"
            + "  expected: TVM 0.22 or newer, or RelaxVM\n"
            + "  what to do: update the server");
  }

  // ---------------------------------------------------------------- errors of functions

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ValueError: no| VALUE| no",
        "IOError: gone| IO| gone",
        "KeyError: k| RUNTIME| KeyError: k",
        "just a text| RUNTIME| just a text",
        "Traceback (most recent call last):;  File a.py, line 3;TypeError: bad: x;"
            + "| TYPE| bad: x",
        "Traceback (most recent call last):;  File a.py, line 3;tvm.error.RPCError: y;"
            + "| RUNTIME| tvm.error.RPCError: y",
        "Traceback (most recent call last):;  nothing else"
            + "| RUNTIME| Traceback (most recent call last):;  nothing else"
      })
  void anErrorOfAFunctionHasTheKindThatItsTextNames(String sent, ErrorKind kind, String summary)
      throws Exception {
    String text = sent.replace(';', '\n');
    try (FakePeer peer =
            server(
                client -> {
                  client.error(text);
                  client.expect(PacketCode.CALL_FUNC).answer(1L, 2L);
                });
        RpcSession session = RpcSession.connect(peer.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction function = session.requireFunction("f");
      assertThatThrownBy(() -> function.call())
          .isInstanceOf(RemoteCallException.class)
          .hasMessage(summary.replace(';', '\n') + "\n  at remote call on " + peer.endpoint())
          .satisfies(e -> assertThat(((RelaxException) e).kind()).isEqualTo(kind))
          .satisfies(e -> assertThat(((RemoteCallException) e).remoteText()).isEqualTo(text));
      assertThat(function.call()).isEqualTo(2L);
      peer.finish();
    }
  }
}
