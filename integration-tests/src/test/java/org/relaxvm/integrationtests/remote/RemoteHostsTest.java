package org.relaxvm.integrationtests.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.integrationtests.remote.NamespaceNetwork.Host;
import org.relaxvm.integrationtests.remote.NamespaceNetwork.Service;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Servers and a tracker on hosts of their own, whose links fail. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteHostsTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");

  /** Three times what keep-alive probes need. */
  private static final long AWAIT_SECONDS = 100;

  @TempDir private static Path folder;

  private static NamespaceNetwork network;
  private static Host serverHost;
  private static Host trackerHost;

  @BeforeAll
  static void connect() throws Exception {
    try {
      network = NamespaceNetwork.create();
      serverHost = network.host();
      trackerHost = network.host();
    } catch (IOException e) {
      if (network != null) {
        network.close();
      }
      String reason = "no network namespaces here: " + e.getMessage();
      System.out.println("RemoteHostsTest skipped: " + reason);
      Assumptions.abort(reason);
    }
  }

  @AfterAll
  static void disconnect() throws Exception {
    if (network != null) {
      network.close();
    }
  }

  private static Service start(Host host, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("-Drelaxvm.cpu.vectors=off", "-Djava.io.tmpdir=" + folder));
    command.addAll(ChildJvm.command(List.of()));
    command.add("rpc");
    command.addAll(List.of(arguments));
    return host.start(command);
  }

  private static Service server(String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("server", "--host", serverHost.address(), "--port", "0", "--insecure"));
    arguments.add("--test-functions");
    arguments.addAll(List.of(more));
    return start(serverHost, arguments.toArray(String[]::new));
  }

  private static Endpoint endpoint(Service service) {
    return Endpoint.parse(service.line().replaceFirst("listening on ([^,]*),.*", "$1"));
  }

  private static RpcOptions within(Duration limit) {
    return RpcOptions.DEFAULT.withCallTimeout(limit);
  }

  /** Waits until the server of a host has no session, no connection and no file of one. */
  private static void awaitNothingLeft(Host host) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(AWAIT_SECONDS);
    while (host.connections() > 0 || sessionFolders() > 0) {
      assertThat(System.nanoTime()).as("the session ends").isLessThan(end);
    }
  }

  private static long sessionFolders() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(e -> e.getFileName().toString().startsWith("relaxvm-rpc-")).count();
    }
  }

  @Test
  void programsRunOnAnotherHost() throws Exception {
    Service server = server();
    Program program = Program.load(DIGITS);
    String device = "rpc://" + endpoint(server) + "/cpu:0";
    try (Tensor image = Tensor.of(new float[28 * 28], Shape.of(1, 1, 28, 28));
        VirtualMachine here = VirtualMachine.builder(program).build();
        VirtualMachine there = VirtualMachine.builder(program).device(device).build();
        Tensor expected = here.function("main").call(image).asTensor();
        Tensor result = there.function("main").call(image).asTensor().toHost()) {
      for (int i = 0; i < 10; i++) {
        assertThat(result.toFloatArray()[i])
            .isCloseTo(expected.toFloatArray()[i], Offset.offset(1e-5f));
      }
    }
    awaitNothingLeft(serverHost);
    server.kill();
  }

  @Test
  void aServerThatIsKilledEndsTheCall() throws Exception {
    Service server = server();
    try (RpcSession session = RpcSession.connect(endpoint(server), RpcOptions.DEFAULT)) {
      RemoteFunction sleep = session.requireFunction("golden.sleep");
      CompletableFuture<Object> call = CompletableFuture.supplyAsync(() -> sleep.call(100.0));
      server.kill();
      assertThatThrownBy(() -> call.get(AWAIT_SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessageStartingWith("the connection to " + endpoint(server) + " ended");
    }
  }

  @Test
  void aCutLinkEndsACallWithinItsLimit() throws Exception {
    Service server = server("--session-time", "5");
    try (RpcSession session = RpcSession.connect(endpoint(server), within(Duration.ofSeconds(2)))) {
      RemoteFunction addOne = session.requireFunction("rpc.test.addone");
      serverHost.cut();
      assertThatThrownBy(() -> addOne.call(1L))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessageStartingWith(endpoint(server) + " did not answer within 2000 ms");
    } finally {
      serverHost.mend();
    }
    awaitNothingLeft(serverHost);
    server.kill();
  }

  @Test
  void aLinkThatStallsEndsACopyWithinItsLimit() throws Exception {
    Service server = server();
    try (RpcSession session = RpcSession.connect(endpoint(server), within(Duration.ofSeconds(2)))) {
      serverHost.slow();
      assertThatThrownBy(() -> session.upload("file.bin", new byte[32 << 20]))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessageStartingWith(endpoint(server) + " did not answer within 2000 ms");
    } finally {
      serverHost.fast();
    }
    awaitNothingLeft(serverHost);
    server.kill();
  }

  /** Nobody has set a limit, and nobody says goodbye: probes find out on both sides. */
  @Test
  void bothSidesNoticeThatThePeerIsGone() throws Exception {
    Service server = server();
    RpcSession idle = RpcSession.connect(endpoint(server), RpcOptions.DEFAULT);
    try (RpcSession session = RpcSession.connect(endpoint(server), RpcOptions.DEFAULT)) {
      RemoteFunction sleep = session.requireFunction("golden.sleep");
      long before = serverHost.acknowledged();
      CompletableFuture<Object> call = CompletableFuture.supplyAsync(() -> sleep.call(45.0));
      // Probes are sent only where nothing awaits an acknowledgement.
      while (serverHost.acknowledged() == before) {
        assertThat(call).isNotDone();
      }
      serverHost.cut();
      assertThatThrownBy(() -> call.get(AWAIT_SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RpcDisconnectedException.class)
          .hasMessageStartingWith("the connection to " + endpoint(server) + " ended");
      awaitNothingLeft(serverHost);
    } finally {
      idle.close();
      serverHost.mend();
    }
    try (RpcSession session = RpcSession.connect(endpoint(server), RpcOptions.DEFAULT)) {
      assertThat(session.requireFunction("rpc.test.addone").call(1L)).isEqualTo(2L);
    }
    server.kill();
  }

  @Test
  void aTrackerThatComesBackKnowsItsServers() throws Exception {
    String[] arguments = {"tracker", "--host", trackerHost.address(), "--port", "9190"};
    Service tracker = start(trackerHost, arguments);
    Endpoint at = endpoint(tracker);
    Service server = server("--tracker", at.toString(), "--key", "board");
    RpcOptions board = within(Duration.ofSeconds(30)).withKey("board");
    assertThat(addOne(at, board)).isEqualTo(2L);
    tracker.kill();
    tracker = start(trackerHost, arguments);
    assertThat(addOne(at, board)).isEqualTo(2L);
    server.kill();
    tracker.kill();
  }

  private static @Nullable Object addOne(Endpoint tracker, RpcOptions options) {
    try (RpcSession session =
        RpcSession.request(tracker, options, 1, Duration.ofSeconds(AWAIT_SECONDS))) {
      return session.requireFunction("rpc.test.addone").call(1L);
    }
  }
}
