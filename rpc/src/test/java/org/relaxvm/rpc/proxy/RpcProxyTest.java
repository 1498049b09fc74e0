package org.relaxvm.rpc.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.tracker.Tracker;

/** The proxy joins the two sides of a key. */
class RpcProxyTest {
  private static final Endpoint ANY = new Endpoint("127.0.0.1", 0);

  private static RpcServer server(RpcProxy proxy) {
    return RpcServer.start(
        ServerOptions.DEFAULT.withKey("px").withProxy(proxy.endpoint()).withTestFunctions(true));
  }

  @Test
  void sessionsGoThroughOneAfterAnother() {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(20));
        RpcServer server = server(proxy)) {
      for (int i = 0; i < 5; i++) {
        try (RpcSession session =
                RpcSession.connect(proxy.endpoint(), RpcOptions.DEFAULT.withKey("px"));
            RemoteFunction strcat = session.requireFunction("rpc.test.strcat");
            Tensor local = Tensor.zeros(DType.FLOAT32, Shape.of(1 << 18));
            RemoteTensor remote = session.upload(local, DeviceId.CPU);
            Tensor back = remote.download()) {
          assertThat(strcat.call("p", 2)).isEqualTo("p:2");
          assertThat(session.serverKey()).isEqualTo("px");
          assertThat(back.segment().mismatch(local.segment())).isEqualTo(-1);
        }
      }
      assertThat(server.endpoint().port()).isPositive();
    }
  }

  @Test
  void serversThatWaitAreOfferedToATracker() {
    try (Tracker tracker = Tracker.start(ANY);
        RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(20), tracker.endpoint());
        RpcServer server = server(proxy)) {
      for (int i = 0; i < 3; i++) {
        try (RpcSession session =
            RpcSession.request(
                tracker.endpoint(), RpcOptions.DEFAULT.withKey("px"), 1, Duration.ofSeconds(20))) {
          assertThat(session.requireFunction("rpc.test.addone").call(i)).isEqualTo(i + 1L);
        }
      }
      assertThat(server.endpoint().port()).isPositive();
    }
  }

  /** A side by hand. */
  private static Socket join(RpcProxy proxy, String key) throws IOException {
    Socket socket = new Socket(proxy.endpoint().host(), proxy.endpoint().port());
    socket.setSoTimeout(20_000);
    byte[] name = key.getBytes(StandardCharsets.UTF_8);
    socket.getOutputStream().write(HexFormat.of().parseHex("71f20f00"));
    socket.getOutputStream().write(new byte[] {(byte) name.length, 0, 0, 0});
    socket.getOutputStream().write(name);
    return socket;
  }

  private static String read(Socket socket, int count) throws IOException {
    return HexFormat.of().formatHex(socket.getInputStream().readNBytes(count));
  }

  /** The recorded case {@code proxy-duplicate}. */
  @Test
  void aSecondSideOfAKeyIsRefusedAndThePairIsJoined() throws IOException {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(20));
        Socket first = join(proxy, "client:nobody")) {
      Socket second = join(proxy, "client:nobody -timeout=3");
      // Which of the two came first is for the proxy to say.
      boolean isSecondRefused = awaitRefused(first, second);
      Socket waiting = isSecondRefused ? first : second;
      try (Socket partner = join(proxy, "server:nobody")) {
        String clientKey = isSecondRefused ? "client:nobody" : "client:nobody -timeout=3";
        assertThat(read(partner, 8 + clientKey.length()))
            .endsWith(HexFormat.of().formatHex(clientKey.getBytes(StandardCharsets.UTF_8)));
        assertThat(read(waiting, 21)).isEqualTo("71f20f000d0000007365727665723a6e6f626f6479");
        waiting.getOutputStream().write("ping".getBytes(StandardCharsets.UTF_8));
        assertThat(read(partner, 4)).isEqualTo("70696e67");
        partner.getOutputStream().write("pong!".getBytes(StandardCharsets.UTF_8));
        assertThat(read(waiting, 5)).isEqualTo("706f6e6721");
        waiting.close();
        assertThat(partner.getInputStream().read()).isEqualTo(-1);
      }
      second.close();
    }
  }

  private static boolean awaitRefused(Socket first, Socket second) throws IOException {
    while (true) {
      for (Socket socket : new Socket[] {first, second}) {
        if (socket.getInputStream().available() >= 4) {
          assertThat(read(socket, 4)).isEqualTo("72f20f00");
          return socket.equals(second);
        }
      }
      Thread.onSpinWait();
    }
  }

  /** A client that is gone at once: the server that it was given to must not wait for it. */
  @Test
  void aServerIsSetFreeWhenItsClientIsGone() throws IOException {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(60))) {
      for (int i = 0; i < 30; i++) {
        try (Socket server = join(proxy, "server:px")) {
          server.setSoTimeout(100);
          awaitFree(proxy, server);
        }
      }
    }
  }

  /** The proxy need not see a client that leaves at once, so there are several. */
  private static void awaitFree(RpcProxy proxy, Socket server) throws IOException {
    for (int i = 0; i < 100; i++) {
      Socket client = join(proxy, "client:px");
      client.setSoLinger(true, 0);
      client.close();
      try {
        server.getInputStream().readAllBytes();
        return;
      } catch (SocketTimeoutException e) {
        assertThat(i).as("the server waits for a client that is gone").isLessThan(99);
      } catch (SocketException e) {
        assertThat(e.getMessage()).contains("reset");
        return;
      }
    }
  }

  @Test
  void aClientThatAnswersItsWelcomeAtOnceIsServed() throws IOException {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(60))) {
      for (int i = 0; i < 100; i++) {
        try (Socket client = join(proxy, "client:px" + i);
            Socket server = join(proxy, "server:px" + i)) {
          read(client, 8 + ("server:px" + i).length());
          client.getOutputStream().write(7);
          read(server, 8 + ("client:px" + i).length());
          assertThat(server.getInputStream().read()).isEqualTo(7);
        }
      }
    }
  }

  @Test
  void aSessionByAProxyIsCountedAndDrained() {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(20));
        RpcServer server = server(proxy)) {
      try (RpcSession session =
          RpcSession.connect(proxy.endpoint(), RpcOptions.DEFAULT.withKey("px"))) {
        assertThat(session.function("rpc.test.addone")).isPresent();
        assertThat(server.sessionCount()).isEqualTo(1);
        assertThat(server.drain(Duration.ofMillis(50))).isFalse();
        assertThat(session.function("rpc.test.addone")).isPresent();
      }
      assertThat(server.drain(Duration.ofSeconds(20))).isTrue();
      assertThat(server.sessionCount()).isZero();
    }
  }

  @Test
  void aClientWithoutAServerIsRefusedInTime() {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofMillis(50))) {
      assertThatThrownBy(
              () -> RpcSession.connect(proxy.endpoint(), RpcOptions.DEFAULT.withKey("nobody")))
          .isInstanceOf(RpcConnectException.class)
          .hasMessageContaining("refuses the key 'nobody'");
    }
  }

  @Test
  void aServerThatLeftIsForgotten() throws IOException {
    try (RpcProxy proxy = RpcProxy.start(ANY, Duration.ofSeconds(20))) {
      join(proxy, "server:px").close();
      try (RpcServer server = server(proxy);
          RpcSession session =
              RpcSession.connect(proxy.endpoint(), RpcOptions.DEFAULT.withKey("px"))) {
        assertThat(session.function("rpc.test.addone")).isPresent();
        assertThat(server.endpoint().port()).isPositive();
      }
    }
  }
}
