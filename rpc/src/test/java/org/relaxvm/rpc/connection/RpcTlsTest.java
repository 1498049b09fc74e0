package org.relaxvm.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.LinkTimeoutException;
import org.relaxvm.rpc.transport.Sockets;

/** Connections with certificates of both sides; the JDK's keytool makes them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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

  /** A thread that writes holds the lock that closing a TLS socket needs. */
  @Test
  void aPeerThatReadsNothingDoesNotOutlastTheLimit() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    try (ServerSocket listener =
        context("server", "client")
            .getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> peer =
          CompletableFuture.runAsync(
              () -> {
                try (SSLSocket socket = (SSLSocket) listener.accept()) {
                  socket.startHandshake();
                  failed.await();
                } catch (IOException | InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      Endpoint address = new Endpoint("127.0.0.1", listener.getLocalPort());
      try (Link link =
          Sockets.connect(address, context("client", "server"), Duration.ofSeconds(10))) {
        link.deadline(System.nanoTime() + Duration.ofMillis(300).toNanos());
        assertThatThrownBy(() -> link.write(ByteBuffer.allocate(64 << 20), ByteBuffer.allocate(0)))
            .isInstanceOf(LinkTimeoutException.class);
      }
      failed.countDown();
      peer.get(10, TimeUnit.SECONDS);
    }
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
