package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.golden.RawClient;

/** Sessions in processes of their own. */
@Isolated("looks at the children of the process")
class ChildSessionTest {
  private static final ServerOptions OPTIONS =
      ServerOptions.DEFAULT.withNativeCode(NativeCode.IN_CHILD_PROCESS).withTestFunctions(true);

  private static List<ProcessHandle> children() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }

  @Test
  void aProcessThatEndsHarmsNoOtherSession() throws Exception {
    List<ProcessHandle> before = children();
    try (RpcServer server = RpcServer.start(OPTIONS);
        RpcSession first = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      List<ProcessHandle> mine =
          children().stream().filter(child -> !before.contains(child)).toList();
      assertThat(mine).hasSize(1);
      RemoteFunction sleep = first.requireFunction("golden.sleep");
      try (RpcSession second = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT);
          RemoteFunction addOne = second.requireFunction("rpc.test.addone")) {
        CompletableFuture<Object> call = CompletableFuture.supplyAsync(() -> sleep.call(60));
        mine.getFirst().destroyForcibly();
        assertThatThrownBy(() -> call.get(20, TimeUnit.SECONDS))
            .hasCauseInstanceOf(RpcDisconnectedException.class);
        assertThat(addOne.call(1)).isEqualTo(2L);
      }
    }
    for (ProcessHandle child : children()) {
      if (!before.contains(child)) {
        assertThat(child.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theProcessEndsWithItsClientThoughACallGoesOn() throws Exception {
    List<ProcessHandle> before = children();
    try (RpcServer server = RpcServer.start(OPTIONS)) {
      RawClient client = RawClient.connect(server.endpoint(), null, "client:").initialize();
      client.call(client.function("golden.sleep"), 1_000);
      List<ProcessHandle> mine =
          children().stream().filter(child -> !before.contains(child)).toList();
      assertThat(mine).hasSize(1);
      client.close();
      assertThat(mine.getFirst().onExit().get(40, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @Test
  void aProcessThatIsKilledLeavesNoFiles() throws Exception {
    List<ProcessHandle> others = children();
    Set<Path> before = folders();
    try (RpcServer server = RpcServer.start(OPTIONS);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      session.upload("a.bin", new byte[100]);
      assertThat(folders()).isNotEqualTo(before);
      for (ProcessHandle child : children()) {
        if (!others.contains(child)) {
          child.destroyForcibly();
        }
      }
    }
    assertThat(folders()).isEqualTo(before);
  }

  private static Set<Path> folders() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(each -> each.getFileName().toString().startsWith("relaxvm-rpc-"))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void theTimeOfASessionEndsIt() {
    try (RpcServer server = RpcServer.start(OPTIONS);
        RpcSession session =
            RpcSession.connect(
                server.endpoint(),
                RpcOptions.DEFAULT.withSessionTimeout(Duration.ofMillis(1_500)));
        RemoteFunction sleep = session.requireFunction("golden.sleep")) {
      assertThatThrownBy(() -> sleep.call(60))
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessageContaining("Your 1.5s session has expired");
    }
  }

  @Test
  void functionsOfTheServersProcessCannotBeOffered() {
    PackedFunc function = (args, result) -> result.setLong(1);
    ServerOptions options = OPTIONS.withFunctions(java.util.Map.of("f", function));
    assertThatThrownBy(() -> RpcServer.start(options))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("cannot be offered by sessions in processes of their own");
  }
}
