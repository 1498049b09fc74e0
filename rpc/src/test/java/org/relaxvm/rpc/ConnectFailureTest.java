package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketCode;

/**
 * Connecting fails with an error that says what, where and what to do, and closes the connection.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectFailureTest {
  @Test
  void limitsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> RpcOptions.DEFAULT.withCallTimeout(Duration.ofMillis(-1)))
        .isInstanceOf(RpcException.class)
        .hasMessage("callTimeout is PT-0.001S\n  expected: 0 to 36500 days");
    assertThatThrownBy(
            () -> RpcOptions.DEFAULT.withSessionTimeout(Duration.ofSeconds(Long.MAX_VALUE)))
        .isInstanceOf(RpcException.class)
        .hasMessageStartingWith("sessionTimeout is PT");
    assertThatThrownBy(() -> RpcOptions.DEFAULT.withConnectTimeout(Duration.ZERO))
        .isInstanceOf(RpcException.class)
        .hasMessage("connectTimeout is zero, but connecting takes time\n  expected: more");
  }

  private static final RpcOptions SOON =
      RpcOptions.DEFAULT.withConnectTimeout(Duration.ofMillis(200));

  private static void fails(
      FakePeer.Script script, RpcOptions options, Class<? extends Throwable> type, String message)
      throws Exception {
    try (FakePeer peer = new FakePeer(script)) {
      assertThatThrownBy(() -> RpcSession.connect(peer.endpoint(), options))
          .isInstanceOf(type)
          .hasMessage(message.replace("HOST", peer.endpoint().toString()));
      peer.finish();
    }
  }

  @Test
  void nobodyListens() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThatThrownBy(() -> RpcSession.connect("127.0.0.1:" + port))
        .isInstanceOf(RpcConnectException.class)
        .hasMessage(
            "cannot connect to 127.0.0.1:"
                + port
                + ": Connection refused\n"
                + "  what to do: check the address, or start a server there: relaxvm rpc server"
                + " --port "
                + port);
  }

  @Test
  void anAddressWithoutAPortIsRefused() {
    assertThatThrownBy(() -> RpcSession.connect("localhost", RpcOptions.DEFAULT))
        .isInstanceOf(RpcException.class)
        .hasMessage(
            "malformed address 'localhost': expected host:port, such as 192.168.0.7:9091 or"
                + " [::1]:9091");
  }

  @Test
  void theServerRefusesTheKey() throws Exception {
    fails(
        refusing(Handshake.MISMATCH),
        RpcOptions.DEFAULT.withKey("board"),
        RpcConnectException.class,
        "the server HOST refuses the key 'board' without a token\n"
            + "  what to do: give the key and the token that the server was started with (--key,"
            + " --token); ask the tracker for a server that has one (--tracker)");
  }

  private static FakePeer.Script refusing(int code) {
    return client -> {
      assertThat(client.readHello()).isEqualTo("client:board");
      client.refuse(code);
      assertThat(client.isEnd()).isTrue();
    };
  }

  @Test
  void aPeerWithTheKeyWaitsAlready() throws Exception {
    fails(
        refusing(Handshake.DUPLICATE),
        RpcOptions.DEFAULT.withKey("board"),
        RpcConnectException.class,
        "another peer with the key 'board' waits at HOST already\n"
            + "  what to do: choose another key, or wait");
  }

  @Test
  void optionsStandAfterTheKey() throws Exception {
    RpcOptions options =
        RpcOptions.DEFAULT
            .withKey("board")
            .withSessionTimeout(Duration.ofMillis(1500))
            .withToken("secret");
    assertThat(options.toString()).doesNotContain("secret");
    fails(
        client -> {
          assertThat(client.readHello()).isEqualTo("client:board -timeout=1.5 -token=secret");
          client.refuse(Handshake.MISMATCH);
        },
        options,
        RpcConnectException.class,
        "the server HOST refuses the key 'board' with this token\n"
            + "  what to do: give the key and the token that the server was started with (--key,"
            + " --token); ask the tracker for a server that has one (--tracker)");
  }

  @Test
  void aTokenWithABlankIsRefused() throws Exception {
    fails(
        client -> assertThat(client.isEnd()).isTrue(),
        RpcOptions.DEFAULT.withToken("a b"),
        RpcException.class,
        "the token contains a blank, which ends options in the protocol");
  }

  @Test
  void thePeerClosesAtOnce() throws Exception {
    fails(
        client -> client.readHello(),
        RpcOptions.DEFAULT,
        RpcConnectException.class,
        "HOST closed the connection instead of a welcome (HOST closed the connection in the"
            + " middle of a message)\n"
            + "  what to do: check that it is an RPC server, and whether it demands TLS");
  }

  @Test
  void thePeerIsAnotherServer() throws Exception {
    fails(
        client -> {
          client.readHello();
          client.raw("48 54 54 50 2f 31 2e 31 20 34 30 30");
        },
        RpcOptions.DEFAULT,
        RpcProtocolException.class,
        "HOST is no RPC server\n"
            + "  expected: one of 0xff271, 0xff272, 0xff273\n"
            + "  got: 0x50545448\n"
            + "  what to do: check the port; a tracker is named with --tracker");
  }

  @Test
  void theKeyOfTheServerHasNoBounds() throws Exception {
    fails(
        client -> {
          client.readHello();
          client.raw("71 f2 0f 00 ff ff ff 7f 73");
        },
        RpcOptions.DEFAULT,
        RpcProtocolException.class,
        "HOST is no RPC server: it sent a key of 2147483647 bytes; at most 16384 are allowed");
  }

  @Test
  void thePeerSaysNothing() throws Exception {
    isLate(client -> client.readHello());
  }

  /** The client closes, which is what the peer waits for. */
  private static void isLate(FakePeer.Script beginning) throws Exception {
    fails(
        client -> {
          beginning.run(client);
          client.awaitClose();
        },
        SOON,
        RpcTimeoutException.class,
        "HOST did not answer within 200 ms\n"
            + "  what to do: check the address, or raise the limit"
            + " (RpcOptions.withConnectTimeout)");
  }

  @Test
  void thePeerMakesNoSession() throws Exception {
    isLate(client -> client.welcome());
  }

  @Test
  void theServerHasAnotherVersion() throws Exception {
    String text =
        "Check failed: client_protocol_ver == server_protocol_ver (0.8.0 vs. 0.9.0) :"
            + " Server[SockServerLoop]: Client protocol version mismatch with the server  server"
            + " protocol=0.9.0, client protocol=0.8.0";
    fails(
        client -> {
          client.welcome().expect(PacketCode.INIT_SERVER);
          client.error(text);
          client.expect(PacketCode.SHUTDOWN);
        },
        RpcOptions.DEFAULT,
        RemoteCallException.class,
        text + "\n  at remote call on HOST");
  }

  @Test
  void aConstructorTakesNoTensors() throws Exception {
    try (FakePeer peer = new FakePeer(client -> client.welcome().expect(PacketCode.SHUTDOWN))) {
      assertThatThrownBy(
              () ->
                  RpcSession.connect(
                      peer.endpoint(), RpcOptions.DEFAULT, "rpc.LocalSession", new Object[0]))
          .isInstanceOf(RpcException.class)
          .hasMessage(
              "argument #1 of the session constructor cannot be sent: it is Object[]\n"
                  + "  expected: integers, booleans, floating-point numbers, strings and bytes")
          .extracting(e -> ((RpcException) e).kind())
          .isEqualTo(ErrorKind.TYPE);
      peer.finish();
    }
  }

  @Test
  void anOldServerIsNamedByItsFirstAnswer() throws Exception {
    fails(
        client -> {
          client.welcome().expect(PacketCode.INIT_SERVER);
          client.raw("0c 00 00 00 00 00 00 00  04 00 00 00  01 00 00 00  04 00 00 00");
          assertThat(client.isEnd()).isTrue();
        },
        RpcOptions.DEFAULT,
        RpcProtocolException.class,
        "HOST is a server of TVM 0.8 to 0.20, whose values have another encoding\n"
            + "  expected: TVM 0.22 or newer, or RelaxVM\n"
            + "  what to do: update the server");
  }

  @Test
  void anAnswerToTheFirstRequestThatIsNoneIsRefused() throws Exception {
    fails(
        client -> {
          client.welcome().expect(PacketCode.INIT_SERVER);
          client.answer(5L);
        },
        RpcOptions.DEFAULT,
        RpcProtocolException.class,
        "HOST sent what the protocol does not allow: 1 values, the first of type 1, for the begin"
            + " of the session\n"
            + "  expected: a server of TVM 0.22 or newer, or of RelaxVM");
  }
}
