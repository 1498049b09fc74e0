package org.relaxvm.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.golden.StalledWriter;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;

/** Connections with certificates of both sides; the JDK's keytool makes them. */
class RpcTlsTest {
  private static final char[] PASSWORD = "secret".toCharArray();

  @TempDir private static Path folder;

  @BeforeAll
  static void makeCertificates() throws Exception {
    make("server", "RSA", "3650");
    make("client", "EC", "3650");
    make("stranger", "Ed25519", "3650");
    make("old", "EC", "1", "-startdate", "-2y");
  }

  /** A key with a certificate that it signed itself, as PEM. */
  private static void make(String name, String algorithm, String days, String... further)
      throws Exception {
    Path store = folder.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        Stream.concat(
                Stream.of(
                    keytool.toString(),
                    "-genkeypair",
                    "-alias",
                    name,
                    "-keyalg",
                    algorithm,
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-validity",
                    days,
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    "secret"),
                Stream.of(further))
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    write(name + ".pem", "CERTIFICATE", keys.getCertificate(name).getEncoded());
    write(name + "-key.pem", "PRIVATE KEY", keys.getKey(name, PASSWORD).getEncoded());
  }

  private static void write(String file, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        folder.resolve(file),
        "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  private static SSLContext context(String own, String trusted) {
    return RpcTls.of(
        folder.resolve(own + ".pem"),
        folder.resolve(own + "-key.pem"),
        folder.resolve(trusted + ".pem"));
  }

  private static RpcServer server() {
    return RpcServer.start(
        ServerOptions.DEFAULT.withTls(context("server", "client")).withTestFunctions(true));
  }

  @Test
  void bothSidesShowTheirCertificates() {
    try (RpcServer server = server();
        RpcSession session =
            RpcSession.connect(
                server.endpoint(), RpcOptions.DEFAULT.withTls(context("client", "server")));
        RemoteFunction addOne = session.requireFunction("rpc.test.addone")) {
      assertThat(addOne.call(1)).isEqualTo(2L);
    }
  }

  @Test
  void aStrangerIsRefused() {
    try (RpcServer server = server()) {
      RpcOptions stranger = RpcOptions.DEFAULT.withTls(context("stranger", "server"));
      assertThatThrownBy(() -> RpcSession.connect(server.endpoint(), stranger))
          .isInstanceOf(RpcException.class);
      RpcOptions without = RpcOptions.DEFAULT;
      assertThatThrownBy(() -> RpcSession.connect(server.endpoint(), without))
          .isInstanceOf(RpcException.class);
      // Others are served.
      RpcOptions known = RpcOptions.DEFAULT.withTls(context("client", "server"));
      try (RpcSession session = RpcSession.connect(server.endpoint(), known)) {
        assertThat(session.isOpen()).isTrue();
      }
    }
  }

  @Test
  void aServerThatIsNotTrustedIsRefusedByTheClient() {
    try (RpcServer server = server()) {
      RpcOptions wary = RpcOptions.DEFAULT.withTls(context("client", "stranger"));
      assertThatThrownBy(() -> RpcSession.connect(server.endpoint(), wary))
          .isInstanceOf(RpcException.class)
          .hasMessageContaining("TLS");
    }
  }

  /** TLS has a goodbye to send, for which a thread whose write is blocked leaves no room. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPeerThatReadsNothingDoesNotHoldUpTheEnd() throws Exception {
    Duration soon = Duration.ofSeconds(20);
    try (ServerSocketChannel listener =
            ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
      Future<Link> accepting =
          threads.submit(
              () -> Sockets.accepted(listener.accept(), context("server", "client"), soon));
      try (Link silent =
              Sockets.connect(new Endpoint("127.0.0.1", port), context("client", "server"), soon);
          Link link = accepting.get()) {
        AtomicLong sent = new AtomicLong();
        Future<?> writer =
            threads.submit(
                () -> {
                  ByteBuffer nothing = ByteBuffer.allocate(0);
                  while (true) {
                    link.write(ByteBuffer.allocate(1 << 12), nothing);
                    sent.incrementAndGet();
                  }
                });
        StalledWriter.await(sent);
        assertThat(threads.submit(link::close).get(5, TimeUnit.SECONDS)).isNull();
        assertThatThrownBy(writer::get).hasCauseInstanceOf(IOException.class);
        assertThat(silent.isClosed()).isFalse();
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aHandshakeThatGoesOnDoesNotHoldUpTheEndOfTheServer() throws IOException {
    RpcServer server = server();
    try (Socket silent = new Socket(server.endpoint().host(), server.endpoint().port())) {
      // A client that is served shows that the silent one was accepted before it.
      RpcOptions known = RpcOptions.DEFAULT.withTls(context("client", "server"));
      RpcSession.connect(server.endpoint(), known).close();
      long begin = System.nanoTime();
      server.close();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aProxyWouldBringClientsWithoutCertificates() {
    Endpoint proxy = new Endpoint("127.0.0.1", 9095);
    ServerOptions options =
        ServerOptions.DEFAULT.withTls(context("server", "client")).withProxy(proxy);
    assertThatThrownBy(() -> RpcServer.start(options))
        .isInstanceOf(RpcException.class)
        .hasMessage(
            "clients that the proxy 127.0.0.1:9095 brings come without TLS, and so without a"
                + " certificate\n  what to do: start the server without --proxy or without --tls,"
                + " or accept that with --insecure");
  }

  @Test
  void aProxyElsewhereIsAnOpenDoor() {
    ServerOptions options = ServerOptions.DEFAULT.withProxy(new Endpoint("192.0.2.1", 9095));
    assertThatThrownBy(() -> RpcServer.start(options))
        .isInstanceOf(RpcException.class)
        .hasMessage(
            "a server reached through the proxy 192.0.2.1:9095 would run programs of anybody who"
                + " can reach the proxy\n"
                + "  what to do: accept that with --insecure");
  }

  @Test
  void filesThatAreOfNoUseAreNamed() throws IOException {
    assertThatThrownBy(() -> RpcTls.parse("a.pem"))
        .hasMessage(
            "TLS needs three files, but got 'a.pem'\n  expected:"
                + " CERTIFICATE.pem,KEY.pem,TRUSTED.pem");
    Path absent = folder.resolve("absent.pem");
    assertThatThrownBy(() -> RpcTls.of(absent, absent, absent))
        .hasMessageStartingWith("cannot read " + absent);
    Path certificate = folder.resolve("client.pem");
    assertThatThrownBy(() -> RpcTls.of(certificate, certificate, certificate))
        .hasMessage(
            certificate
                + " contains no private key\n  expected: PEM, with -----BEGIN PRIVATE KEY-----");
    Path old = folder.resolve("pkcs1.pem");
    Files.writeString(
        old, "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    assertThatThrownBy(() -> RpcTls.of(certificate, old, certificate))
        .hasMessageContaining("a key of the form 'RSA PRIVATE KEY'")
        .hasMessageContaining("what to do: openssl pkcs8 -topk8 -nocrypt -in " + old);
    Path other = folder.resolve("server-key.pem");
    assertThatThrownBy(() -> RpcTls.of(certificate, other, certificate))
        .hasMessage(
            "the key of " + other + " is not that of the first certificate of " + certificate);
    Path expired = folder.resolve("old.pem");
    assertThatThrownBy(() -> RpcTls.of(expired, folder.resolve("old-key.pem"), certificate))
        .hasMessageContaining("which is not now");
  }
}
