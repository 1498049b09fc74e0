package org.relaxvm.rpc.tracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RestartableEndpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.golden.FakePeer;
import org.relaxvm.rpc.golden.StalledWriter;
import org.relaxvm.rpc.golden.Transcript;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.testsupport.RandomCases;

/** The tracker against the recorded one, and with servers and clients of this project. */
class TrackerTest {
  private static final Endpoint ANY = new Endpoint("127.0.0.1", 0);
  private static final Duration SOON = Duration.ofSeconds(20);

  /** A connection by hand. */
  private static final class Peer implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;

    Peer(Tracker tracker) throws IOException {
      socket = new Socket(tracker.endpoint().host(), tracker.endpoint().port());
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(socket.getInputStream());
    }

    static Peer greeted(Tracker tracker) throws IOException {
      Peer peer = new Peer(tracker);
      peer.write(bytes(Handshake.TRACKER_MAGIC));
      assertThat(peer.in.readNBytes(4)).isEqualTo(bytes(Handshake.TRACKER_MAGIC));
      return peer;
    }

    void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
    }

    void send(String text) throws IOException {
      byte[] content = text.getBytes(StandardCharsets.UTF_8);
      write(bytes(content.length));
      write(content);
    }

    String receive() throws IOException {
      byte[] length = in.readNBytes(4);
      int size = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
      return new String(in.readNBytes(size), StandardCharsets.UTF_8);
    }

    String ask(String text) throws IOException {
      send(text);
      return receive();
    }

    boolean isClosedByTracker() throws IOException {
      try {
        return in.read() < 0;
      } catch (java.net.SocketException e) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  /**
   * Requests wait in the order of their priority; they are in the queue when the summary says so.
   */
  private static void awaitPending(Peer peer, String expected) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!peer.ask("[6]").contains(expected)) {
      assertThat(System.nanoTime()).as(expected).isLessThan(end);
    }
  }

  @Test
  void messagesAreThoseOfTheRecordedTracker() throws IOException {
    try (Tracker tracker = Tracker.start(ANY);
        Peer low = Peer.greeted(tracker);
        Peer high = Peer.greeted(tracker);
        Peer middle = Peer.greeted(tracker)) {
      Peer server = Peer.greeted(tracker);
      assertThat(server.ask("[1]")).isEqualTo("0");
      assertThat(server.ask("[5, {\"key\": \"server:gpu\", \"addr\": [null, 9123]}]"))
          .isEqualTo("0");
      low.send("[4, \"gpu\", \"\", 1]");
      awaitPending(server, "\"pending\": 1");
      high.send("[4, \"gpu\", \"\", 9]");
      awaitPending(server, "\"pending\": 2");
      middle.send("[4, \"gpu\", \"me\", 9]");
      awaitPending(server, "\"pending\": 3");
      assertThat(server.ask("[6]"))
          .isEqualTo(
              "[0, {\"queue_info\": {\"gpu\": {\"free\": 0, \"pending\": 3}}, \"server_info\":"
                  + " [{\"key\": \"server:gpu\", \"addr\": [\"127.0.0.1\", 9123]}]}]");
      int number = 1;
      for (Peer next : List.of(high, middle, low)) {
        assertThat(server.ask("[3, \"gpu\", [9123, \"gpu:0." + number + "\"], null]"))
            .isEqualTo("0");
        assertThat(next.receive())
            .isEqualTo("[0, [\"127.0.0.1\", 9123, \"gpu:0." + number + "\"]]");
        number++;
      }
      assertThat(server.ask("[3, \"gpu\", [9123, \"gpu:0.77\"], \"10.1.2.3\"]")).isEqualTo("0");
      assertThat(server.ask("[7]")).isEqualTo("[\"gpu:0.77\"]");
      assertThat(low.ask("[4, \"gpu\", \"\", 1]"))
          .isEqualTo("[0, [\"10.1.2.3\", 9123, \"gpu:0.77\"]]");
      assertThat(server.ask("[7]")).isEqualTo("[]");
      assertThat(server.ask("[2, \"wrong\"]")).isEqualTo("-1");
      assertThat(server.ask("[3, \"gpu\", [9123, \"gpu:0.5\"], null]")).isEqualTo("0");
      server.close();
      awaitPending(low, "\"server_info\": []");
      assertThat(low.ask("[6]"))
          .isEqualTo(
              "[0, {\"queue_info\": {\"gpu\": {\"free\": 0, \"pending\": 0}}, \"server_info\":"
                  + " []}]");
      low.send("[4, \"other\", \"\", 1]");
      awaitPending(high, "other");
      assertThat(high.ask("[6]"))
          .isEqualTo(
              "[0, {\"queue_info\": {\"gpu\": {\"free\": 0, \"pending\": 0}, \"other\": {\"free\":"
                  + " 0, \"pending\": 1}}, \"server_info\": []}]");
    }
  }

  @Test
  void anOfferWhoseClientIsGoneStays() throws IOException {
    try (Tracker tracker = Tracker.start(ANY);
        Peer server = Peer.greeted(tracker);
        Peer next = Peer.greeted(tracker)) {
      try (Peer gone = Peer.greeted(tracker)) {
        gone.send("[4, \"k\", \"\", 5]");
        awaitPending(server, "\"pending\": 1");
      }
      awaitPending(server, "\"pending\": 0");
      assertThat(server.ask("[3, \"k\", [1, \"k:0.1\"], null]")).isEqualTo("0");
      assertThat(server.ask("[6]"))
          .isEqualTo(
              "[0, {\"queue_info\": {\"k\": {\"free\": 1, \"pending\": 0}}, \"server_info\": []}]");
      assertThat(next.ask("[4, \"k\", \"\", 1]")).isEqualTo("[0, [\"127.0.0.1\", 1, \"k:0.1\"]]");
    }
  }

  @Test
  void whatIsNoMessageEndsTheConnectionOnly() throws IOException {
    Transcript.assumePresent();
    try (Tracker tracker = Tracker.start(ANY);
        Peer witness = Peer.greeted(tracker)) {
      for (String part : Transcript.ofCase("tracker-bad")) {
        Transcript transcript = Transcript.read(part);
        boolean refused =
            transcript.messages().stream()
                .noneMatch(
                    m ->
                        !m.client() && new String(m.bytes(), StandardCharsets.UTF_8).endsWith("0"));
        try (Peer peer = new Peer(tracker)) {
          for (Transcript.Message message : transcript.messages()) {
            if (message.client() && !message.close()) {
              peer.write(message.bytes());
            } else if (!message.close()) {
              assertThat(peer.in.readNBytes(message.bytes().length)).isEqualTo(message.bytes());
            }
          }
          if (refused) {
            assertThat(peer.isClosedByTracker()).as(part).isTrue();
          }
        }
        assertThat(witness.ask("[1]")).isEqualTo("0");
      }
    }
  }

  @Test
  void theTrackerOutlivesMutatedMessages() throws IOException {
    RandomCases cases = RandomCases.of(500);
    System.out.println("mutated messages to a tracker: " + cases);
    String[] messages = {
      "[1]",
      "[2, \"x\"]",
      "[3, \"k\", [1, \"k:0.1\"], null]",
      "[4, \"k\", \"\", 1]",
      "[5, {\"key\": \"server:k\", \"addr\": [null, 1]}]",
      "[6]",
      "[7]"
    };
    try (Tracker tracker = Tracker.start(ANY);
        Peer witness = Peer.greeted(tracker)) {
      for (long number : cases.numbers().toArray()) {
        Random random = new Random(cases.seed() + number * 0x9E3779B97F4A7C15L);
        try (Peer peer = Peer.greeted(tracker)) {
          for (int i = 0; i < 4; i++) {
            byte[] text =
                messages[random.nextInt(messages.length)].getBytes(StandardCharsets.UTF_8);
            byte[] message = new byte[4 + text.length];
            System.arraycopy(bytes(text.length), 0, message, 0, 4);
            System.arraycopy(text, 0, message, 4, text.length);
            message[random.nextInt(message.length)] = (byte) random.nextInt();
            peer.write(message);
          }
        } catch (java.net.SocketException e) {
          assertThat(e.getMessage()).containsAnyOf("Broken pipe", "reset", "closed");
        }
        assertThat(witness.ask("[1]")).as(cases.repeat(number)).isEqualTo("0");
      }
    }
  }

  @Test
  void aClientThatReadsNothingDoesNotHoldUpOthers() throws Exception {
    try (ExecutorService flood = Executors.newVirtualThreadPerTaskExecutor();
        Tracker tracker = Tracker.start(ANY);
        Peer server = Peer.greeted(tracker);
        Peer deaf = Peer.greeted(tracker)) {
      // Makes summaries long.
      String name = "server:" + "k".repeat(900);
      assertThat(server.ask("[5, {\"key\": \"" + name + "\", \"addr\": [null, 1]}]"))
          .isEqualTo("0");
      deaf.send("[4, \"k\", \"\", 9]");
      awaitPending(server, "\"pending\": 1");
      AtomicLong sent = new AtomicLong();
      flood.submit(
          () -> {
            while (true) {
              deaf.send("[6]");
              sent.incrementAndGet();
            }
          });
      StalledWriter.await(sent);
      assertThat(server.ask("[3, \"k\", [1, \"k:0.1\"], null]")).isEqualTo("0");
      assertThat(server.ask("[1]")).isEqualTo("0");
    }
  }

  @Test
  void theAddressOfAServerHasBounds() throws IOException {
    try (Tracker tracker = Tracker.start(ANY);
        Peer server = Peer.greeted(tracker)) {
      server.send("[3, \"k\", [1, \"k:0.1\"], \"" + "h".repeat(2_000) + "\"]");
      assertThat(server.isClosedByTracker()).isTrue();
    }
  }

  @Test
  void keysThatAreNotUsedAnyMoreDoNotFillTheQueue() {
    MatchQueue queue = new MatchQueue(4);
    for (int i = 0; i < 100; i++) {
      assertThat(queue.request("k" + i, this, 1, offer -> {})).isTrue();
      queue.remove(this, false);
    }
    for (int i = 0; i < 4; i++) {
      assertThat(queue.offer("k" + i, new MatchQueue.Offer(this, "h", 1, "k"))).isTrue();
    }
    assertThat(queue.offer("k4", new MatchQueue.Offer(this, "h", 1, "k"))).isFalse();
  }

  // ---------------------------------------------------------------- servers and clients

  @Test
  void aServerOnAllAddressesHasTheOneThatTheTrackerSees() {
    ServerOptions options =
        ServerOptions.DEFAULT
            .withKey("board")
            .withEndpoint(new Endpoint("0.0.0.0", 0))
            .withInsecure(true);
    try (Tracker tracker = Tracker.start(ANY);
        RpcServer server = RpcServer.start(options.withTracker(tracker.endpoint()));
        TrackerClient client = TrackerClient.connect(tracker.endpoint(), SOON)) {
      assertThat(client.request("board", "", 1, SOON).endpoint())
          .isEqualTo(new Endpoint("127.0.0.1", server.endpoint().port()));
    }
  }

  @Test
  void aServerComesBackAfterASessionThatFailed() {
    ServerOptions options =
        ServerOptions.DEFAULT
            .withKey("board")
            .withFunctions(
                Map.of(
                    "fail",
                    (args, result) -> {
                      throw new IllegalStateException("on purpose");
                    }));
    try (Tracker tracker = Tracker.start(ANY);
        RpcServer server = RpcServer.start(options.withTracker(tracker.endpoint()))) {
      for (int i = 0; i < 2; i++) {
        try (RpcSession session = request(tracker);
            RemoteFunction fail = session.requireFunction("fail")) {
          for (int k = 0; k < 2; k++) {
            assertThatThrownBy(() -> fail.call())
                .isInstanceOf(RemoteCallException.class)
                .hasMessage(
                    "java.lang.IllegalStateException: on purpose\n  at remote call on "
                        + server.endpoint());
          }
        }
      }
      assertThat(server.endpoint().port()).isPositive();
    }
  }

  @Test
  void aMatchKeyIsOfOneClient() {
    try (Tracker tracker = Tracker.start(ANY);
        ServerRegistration registration =
            ServerRegistration.start(
                tracker.endpoint(),
                "k",
                new Endpoint("127.0.0.1", 9),
                ServerRegistration.Periods.DEFAULT);
        ServerRegistration.Visit late = registration.visit()) {
      String key = registration.matchKey();
      try (ServerRegistration.Visit first = registration.visit()) {
        assertThat(first.claim("k:0.1")).isFalse();
        assertThat(first.claim(key)).isTrue();
        assertThat(late.claim(key)).isFalse();
        assertThat(late.claim(registration.matchKey())).isFalse();
      }
      assertThat(late.claim(key)).isFalse();
      assertThat(late.claim(registration.matchKey())).isTrue();
    }
  }

  @Test
  void aServerThatIsDrainedIsNotOffered() {
    try (Tracker tracker = Tracker.start(ANY);
        RpcServer server = server(tracker);
        TrackerClient client = TrackerClient.connect(tracker.endpoint(), SOON)) {
      long end = System.nanoTime() + SOON.toNanos();
      while (!client.summary(SOON).queues().contains(new TrackerClient.QueueCount("board", 1, 0))) {
        assertThat(System.nanoTime()).isLessThan(end);
      }
      assertThat(server.drain(SOON)).isTrue();
      while (!client.summary(SOON).queues().contains(new TrackerClient.QueueCount("board", 0, 0))) {
        assertThat(System.nanoTime()).isLessThan(end);
      }
    }
  }

  private static RpcServer server(Tracker tracker) {
    return RpcServer.start(
        ServerOptions.DEFAULT
            .withKey("board")
            .withTracker(tracker.endpoint())
            .withTestFunctions(true));
  }

  private static RpcSession request(Tracker tracker) {
    return RpcSession.request(tracker.endpoint(), RpcOptions.DEFAULT.withKey("board"), 1, SOON);
  }

  private static void use(RpcSession session) {
    try (RemoteFunction addOne = session.requireFunction("rpc.test.addone")) {
      assertThat(addOne.call(1)).isEqualTo(2L);
    }
  }

  @Test
  void aServerServesOneClientAfterAnother() {
    try (Tracker tracker = Tracker.start(ANY);
        RpcServer server = server(tracker)) {
      for (int i = 0; i < 5; i++) {
        try (RpcSession session = request(tracker)) {
          use(session);
        }
      }
      assertThat(server.endpoint().port()).isPositive();
    }
  }

  @Test
  void manyClientsShareOneServer() throws Exception {
    try (Tracker tracker = Tracker.start(ANY);
        RpcServer first = server(tracker);
        RpcServer second = server(tracker);
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(first.endpoint()).isNotEqualTo(second.endpoint());
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        running.add(
            clients.submit(
                () -> {
                  try (RpcSession session = request(tracker)) {
                    use(session);
                  }
                }));
      }
      for (Future<?> client : running) {
        client.get(60, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aMatchKeyThatIsNotUsedIsReplaced() throws IOException {
    try (Tracker tracker = Tracker.start(ANY);
        TrackerClient client = TrackerClient.connect(tracker.endpoint(), SOON);
        ServerRegistration registration =
            ServerRegistration.start(
                tracker.endpoint(),
                "idle",
                new Endpoint("127.0.0.1", 9),
                new ServerRegistration.Periods(
                    Duration.ofMillis(10), Duration.ofMillis(50), Duration.ofMillis(10), SOON))) {
      String taken = client.request("idle", "", 1, SOON).matchKey();
      String next = client.request("idle", "", 1, SOON).matchKey();
      assertThat(next).startsWith("idle:").isNotEqualTo(taken);
      assertThat(registration.matchKey()).startsWith("idle:");
    }
  }

  @Test
  void aServerComesBackAfterTheTrackerWasRestarted() throws IOException {
    Tracker first = Tracker.start(RestartableEndpoint.free());
    Endpoint address = first.endpoint();
    ServerRegistration.Periods quick =
        new ServerRegistration.Periods(
            Duration.ofMillis(10), Duration.ofSeconds(60), Duration.ofMillis(10), SOON);
    try (ServerRegistration registration =
        ServerRegistration.start(address, "k", new Endpoint("127.0.0.1", 9), quick)) {
      try (TrackerClient client = TrackerClient.connect(address, SOON)) {
        assertThat(client.request("k", "", 1, SOON).matchKey()).startsWith("k:");
      }
      first.close();
      assertThatThrownBy(() -> TrackerClient.connect(address, SOON))
          .isInstanceOf(RpcConnectException.class)
          .hasMessageContaining("cannot connect to the tracker " + address);
      try (Tracker second = Tracker.start(address);
          TrackerClient client = TrackerClient.connect(address, SOON)) {
        assertThat(client.request("k", "", 1, SOON).matchKey()).isEqualTo(registration.matchKey());
        assertThat(second.endpoint()).isEqualTo(address);
      }
    }
  }

  @Test
  void aRequestWithoutAServerEndsInTime() {
    try (Tracker tracker = Tracker.start(ANY)) {
      assertThatThrownBy(
              () ->
                  RpcSession.request(
                      tracker.endpoint(),
                      RpcOptions.DEFAULT.withKey("nobody"),
                      1,
                      Duration.ofMillis(50)))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessage(
              "the tracker "
                  + tracker.endpoint()
                  + " did not answer within 50 ms\n  what to do: see with relaxvm rpc"
                  + " tracker-summary whether a server is free");
    }
  }

  @Test
  void theLimitOfARequestIsForAllAttempts() throws Exception {
    try (Tracker tracker = Tracker.start(ANY);
        FakePeer hanging =
            new FakePeer(
                client -> {
                  client.readHello();
                  assertThat(client.isEnd()).isTrue();
                });
        Peer offer = Peer.greeted(tracker)) {
      offer.ask("[3, \"board\", [" + hanging.endpoint().port() + ", \"board:1\"], null]");
      RpcOptions options =
          RpcOptions.DEFAULT.withKey("board").withConnectTimeout(Duration.ofMillis(300));
      // Connecting to the server that hangs takes all of the time.
      assertThatThrownBy(
              () -> RpcSession.request(tracker.endpoint(), options, 1, Duration.ofMillis(200)))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessageStartingWith(hanging.endpoint() + " did not answer within 300 ms");
      hanging.finish();
    }
  }

  @Test
  void theSummaryNamesQueuesAndServers() {
    try (Tracker tracker = Tracker.start(ANY);
        RpcServer server = server(tracker);
        TrackerClient client = TrackerClient.connect(tracker.endpoint(), SOON)) {
      client.ping(SOON);
      long end = System.nanoTime() + SOON.toNanos();
      while (client.summary(SOON).queues().isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(end);
      }
      assertThat(client.summary(SOON).queues())
          .containsExactly(new TrackerClient.QueueCount("board", 1, 0));
      assertThat(client.summary(SOON).servers())
          .containsEntry(server.endpoint().toString(), "server:board");
      assertThat(client.stop("wrong", SOON)).isFalse();
      assertThat(client.stop(tracker.stopKey(), SOON)).isTrue();
    }
  }
}
