package org.relaxvm.interoptvm.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.parallel.WorkerPool;

/** Parallel tasks of compiled code with barriers. */
@Timeout(60)
class ParallelLaunchTest {
  private static final int WORKERS = WorkerPool.shared().parallelism();

  @TempDir static Path folder;
  static Imitation library;

  @BeforeAll
  static void open() {
    library = Imitation.open(Imitation.compile(folder, "parallel.so"));
  }

  @AfterAll
  static void close() {
    if (library != null) {
      library.close();
    }
  }

  private static long sum(int tasks) {
    return tasks * (tasks + 1L) / 2;
  }

  @Test
  void allTasksMeet() {
    assertThat(library.call("parallel", 0, -1, 0).asLong()).isEqualTo(sum(WORKERS));
    assertThat(library.call("parallel", 1, -1, 0).asLong()).isEqualTo(1);
  }

  @Test
  void tasksMayCallJava() {
    assertThat(library.call("parallel", 0, -1, 1).asLong()).isEqualTo(2 * sum(WORKERS));
  }

  @Test
  void aTaskThatFailsEndsTheLaunch() {
    assertThatThrownBy(() -> library.call("parallel", 0, 0, 0))
        .hasMessage("Task 0 error: task is bad");
    PackedFunc failing =
        (args, result) -> {
          throw new IllegalStateException("in Java " + args.longAt(0));
        };
    try (Imitation own =
        Imitation.open(folder.resolve("parallel.so"), Map.of("test.twice", failing))) {
      assertThatThrownBy(() -> own.call("parallel", 0, -1, 1)).hasMessageContaining("in Java");
    }
    assertThat(library.call("parallel", 0, -1, 0).asLong()).isEqualTo(sum(WORKERS));
  }

  @Test
  void moreTasksThanWorkersAndLaunchesOfTasksAreRefused() {
    if (WORKERS == 1) {
      System.out.println("skipped: the worker pool has one thread");
      return;
    }
    assertThatThrownBy(() -> library.call("parallel", WORKERS + 1, -1, 0))
        .hasMessage(
            "compiled code needs "
                + (WORKERS + 1)
                + " threads at the same time, but the worker pool has "
                + WORKERS
                + "\n  what to do: pass WorkerPool.ofThreads("
                + (WORKERS + 1)
                + ") to workers(...) of the VM's builder")
        .isInstanceOfSatisfying(
            CallException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.RUNTIME);
              assertThat(e.tvmMessage())
                  .hasValue(
                      "Request parallel sync task larger than number of threads used  workers="
                          + WORKERS
                          + " request="
                          + (WORKERS + 1));
            });
    assertThatThrownBy(() -> library.call("nested"))
        .hasMessage(
            """
            Task 0 error: compiled code launches parallel tasks within a parallel task, which is \
            not supported
            Task 1 error: compiled code launches parallel tasks within a parallel task, which is \
            not supported
              what to do: parallelize one loop of the kernel only\
            """)
        .isInstanceOfSatisfying(
            CallException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.RUNTIME);
              assertThat(e.tvmMessage())
                  .hasValue(
                      """
                      Task 0 error: Cannot launch parallel job inside worker, consider fuse then \
                      parallel
                      Task 1 error: Cannot launch parallel job inside worker, consider fuse then \
                      parallel\
                      """);
            });
  }

  @Test
  void launchesOfManyThreadsDoNotMix() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    assertThat(library.call("parallel", 0, -1, 0).asLong()).isEqualTo(sum(WORKERS));
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  @Test
  void aLaunchFromAPieceOfParallelWorkRunsInItsThread() {
    WorkerPool.shared()
        .parallelFor(
            0,
            4,
            1,
            (from, to) -> {
              for (long i = from; i < to; i++) {
                assertThat(library.call("parallel", 0, -1, 0).asLong()).isPositive();
              }
            });
  }
}
