package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;

/** Sessions leave nothing behind, and many are served at once. */
@Isolated("counts threads, files and folders of the process")
class ManySessionsTest {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  @Test
  void aThousandSessionsLeaveNothing() throws Exception {
    try (RpcServer server = start()) {
      for (int i = 0; i < 50; i++) {
        use(server, i);
      }
      Counts before = Counts.now();
      for (int i = 0; i < 1_000; i++) {
        use(server, i);
      }
      awaitNoSession(server);
      Counts after = Counts.now();
      assertThat(after.folders()).isEqualTo(before.folders());
      assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 2);
      assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + 4);
      assertThat(after.heap()).isLessThan(before.heap() + (8L << 20));
    }
  }

  @Test
  void manyClientsAreServedAtOnce() throws Exception {
    try (RpcServer server = start();
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        int number = i;
        running.add(
            clients.submit(
                () -> {
                  for (int k = 0; k < 10; k++) {
                    use(server, number * 100 + k);
                  }
                  return null;
                }));
      }
      for (Future<?> client : running) {
        client.get(60, TimeUnit.SECONDS);
      }
      awaitNoSession(server);
    }
  }

  private static RpcServer start() {
    return RpcServer.start(ServerOptions.DEFAULT.withTestFunctions(true));
  }

  /** A session that leaves its handles, its memory and a file to the server. */
  private static void use(RpcServer server, int number) {
    try (RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      RemoteFunction addOne = session.requireFunction("rpc.test.addone");
      assertThat(addOne.call(number)).isEqualTo(number + 1L);
      try (Tensor local = Tensor.of(new float[] {number, 1, 2}, Shape.of(3))) {
        RemoteTensor remote = session.upload(local, DeviceId.CPU);
        assertThat(session.requireFunction("golden.sum").call(remote)).isEqualTo(number + 3.0);
      }
      session.upload("file.bin", new byte[100]);
    }
  }

  private static void awaitNoSession(RpcServer server) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server.sessionCount() > 0) {
      assertThat(System.nanoTime()).as("sessions end").isLessThan(end);
      Thread.onSpinWait();
      Thread.yield();
    }
  }

  /** What the process holds. */
  private record Counts(long threads, long descriptors, long folders, long heap) {
    static Counts now() throws IOException {
      System.gc();
      return new Counts(
          Thread.getAllStackTraces().size(),
          entries(DESCRIPTORS, ""),
          entries(Path.of(System.getProperty("java.io.tmpdir")), "relaxvm-rpc-"),
          Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }

    private static long entries(Path folder, String prefix) throws IOException {
      if (!Files.isDirectory(folder)) {
        return 0;
      }
      try (Stream<Path> entries = Files.list(folder)) {
        return entries.filter(e -> e.getFileName().toString().startsWith(prefix)).count();
      }
    }
  }
}
