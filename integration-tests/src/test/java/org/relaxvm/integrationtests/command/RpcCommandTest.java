package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.tracker.Tracker;

/** {@code relaxvm rpc}, and other commands with remote devices. */
class RpcCommandTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");
  private static final Path SEVEN = Path.of("../examples/digits/samples/seven.png");

  private static final Path CASE = Path.of("../../shared/golden/01-bytecode");
  private static final Path MODULE = Path.of("src/test/resources/programs/fused_norm.relax");

  private static Tracker tracker;
  private static RpcServer server;

  @BeforeAll
  static void start() {
    tracker = Tracker.start(new Endpoint("127.0.0.1", 0));
    server = RpcServer.start(ServerOptions.DEFAULT.withTestFunctions(true).withToken("t"));
  }

  @AfterAll
  static void stop() {
    server.close();
    tracker.close();
  }

  @Test
  void callPrintsTheResult() {
    CommandRun run =
        CommandRun.of("rpc", "call", server.endpoint(), "--token", "t", "rpc.test.addone", "41");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo("42\n");
  }

  @Test
  void tensorsGoThereAndBack() {
    CommandRun sum =
        CommandRun.of(
            "rpc",
            "call",
            server.endpoint(),
            "--token",
            "t",
            "golden.matrix",
            "1",
            "2",
            "str:int32");
    assertThat(sum.out()).isEqualTo("int32[1, 2] on cpu:0\n[[0, 1]]\n");
  }

  @Test
  void runUploadsAProgramAndMeasuresIt() {
    CommandRun run =
        CommandRun.of(
            "rpc",
            "run",
            server.endpoint(),
            "--token",
            "t",
            DIGITS,
            "main",
            "random:1x1x28x28:float32:1",
            "--time");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("float32[1, 10] on cpu:0\n").contains("mean (ms)");
  }

  @Test
  void otherCommandsTakeRemoteDevices() {
    String device = "rpc://" + server.endpoint() + "/cpu:0";
    CommandRun run = CommandRun.of("run", DIGITS, SEVEN, "-d", device, "-O", "rpc.token=t");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("7\n");
    CommandRun bench =
        CommandRun.of("bench", DIGITS, SEVEN, "-d", device, "-O", "rpc.token=t", "--json");
    assertThat(bench.code()).isZero();
    assertThat(bench.out()).contains(device);
  }

  @Test
  void profileTakesRemoteDevices() {
    String device = "rpc://" + server.endpoint() + "/cpu:0";
    CommandRun run = CommandRun.of("profile", DIGITS, SEVEN, "-d", device, "-O", "rpc.token=t");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("fused_", "rpc:0");
  }

  @Test
  void checkTakesRemoteDevices() {
    String device = "rpc://" + server.endpoint() + "/cpu:0";
    CommandRun cases = CommandRun.of("check", CASE, "-d", device, "-O", "rpc.token=t");
    assertThat(cases.err()).isEmpty();
    assertThat(cases.out()).endsWith("9 passed, 0 failed\n");
    CommandRun compiled =
        CommandRun.of("check", MODULE, "--bind", "n=3", "-d", device, "-O", "rpc.token=t");
    assertThat(compiled.err()).isEmpty();
    assertThat(compiled.out()).endsWith("1 passed, 0 failed\n");
    CommandRun refused = CommandRun.of("check", CASE, "-d", device);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).contains("refuses the key '' without a token");
  }

  @Test
  void doctorShowsWhatAServerWithATokenOffers() {
    String device = "rpc://" + server.endpoint() + "/cpu:0";
    CommandRun run = CommandRun.of("doctor", "-d", device, "-O", "rpc.token=t");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("(cpu:0 of " + server.endpoint() + ")");
  }

  @Test
  void aWrongTokenIsOneMessage() {
    CommandRun run = CommandRun.of("rpc", "call", server.endpoint(), "rpc.test.addone", "41");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: the server "
                + server.endpoint()
                + " refuses the key '' without a token\n  what to do: give the key and the token"
                + " that the server was started with (--key, --token); ask the tracker for a"
                + " server that has one (--tracker)\n");
  }

  @Test
  void nobodyThereIsOneMessage() {
    Endpoint gone;
    try (RpcServer other = RpcServer.start(ServerOptions.DEFAULT)) {
      gone = other.endpoint();
    }
    CommandRun run = CommandRun.of("rpc", "call", gone, "f");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: error: cannot connect to "
                + gone
                + ": Connection refused\n  what to do: check the address, or start a server there:"
                + " relaxvm rpc server --port "
                + gone.port()
                + "\n");
  }

  @Test
  void anAddressOfAllIsRefusedUnlessInsecure() {
    CommandRun run = CommandRun.of("rpc", "server", "--host", "0.0.0.0", "--port", "0");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .contains("without TLS would run programs of anybody who can reach it")
        .contains("what to do: give it certificates (--tls), or accept that with --insecure");
  }

  @Test
  void theSummaryOfATrackerIsATable() {
    try (RpcServer board =
        RpcServer.start(
            ServerOptions.DEFAULT
                .withKey("board")
                .withTracker(tracker.endpoint())
                .withTestFunctions(true))) {
      CommandRun call =
          CommandRun.of(
              "rpc",
              "call",
              tracker.endpoint(),
              "--tracker",
              "--key",
              "board",
              "rpc.test.addone",
              "1");
      assertThat(call.err()).isEmpty();
      assertThat(call.out()).isEqualTo("2\n");
      CommandRun summary = CommandRun.of("rpc", "tracker-summary", tracker.endpoint());
      assertThat(summary.out()).contains(board.endpoint() + "  server:board").contains("board");
    }
  }
}
