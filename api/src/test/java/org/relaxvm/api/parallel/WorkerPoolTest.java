package org.relaxvm.api.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.error.CallException;

@Timeout(60)
class WorkerPoolTest {
  @Test
  void parallelForVisitsEveryIndexOnce() {
    try (WorkerPool pool = WorkerPool.ofThreads(4)) {
      for (int length : new int[] {1, 2, 3, 15, 16, 17, 100, 1001}) {
        for (int grain : new int[] {1, 2, 7, 100, 5000}) {
          AtomicIntegerArray visits = new AtomicIntegerArray(length);
          pool.parallelFor(
              -5,
              length - 5,
              grain,
              (from, to) -> {
                for (long i = from; i < to; i++) {
                  visits.incrementAndGet((int) i + 5);
                }
              });
          for (int i = 0; i < length; i++) {
            assertThat(visits.get(i)).as("index %d of %d, grain %d", i, length, grain).isOne();
          }
        }
      }
    }
  }

  @Test
  void piecesAreNoSmallerThanTheGrainButTheLast() {
    try (WorkerPool pool = WorkerPool.ofThreads(3)) {
      Set<Long> lengths = ConcurrentHashMap.newKeySet();
      pool.parallelFor(0, 100, 30, (from, to) -> lengths.add(to - from));
      assertThat(lengths).containsExactlyInAnyOrder(30L, 10L);
    }
  }

  @Test
  void rangesBeyondIntWork() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      AtomicLong sum = new AtomicLong();
      pool.parallelFor(
          1L << 40, (1L << 62) + (1L << 40), 1, (from, to) -> sum.addAndGet(to - from));
      assertThat(sum.get()).isEqualTo(1L << 62);
    }
  }

  @Test
  void smallRangesRunInTheCallingThreadAsOnePiece() {
    try (WorkerPool pool = WorkerPool.ofThreads(4)) {
      Set<Thread> seen = new HashSet<>();
      pool.parallelFor(0, 100, 100, (_, _) -> seen.add(Thread.currentThread()));
      assertThat(seen).containsExactly(Thread.currentThread());
    }
  }

  @Test
  void parallelForUsesTheWorkers() {
    try (WorkerPool pool = WorkerPool.ofThreads(3)) {
      // Three pieces that wait for each other can only end when three threads work on them.
      CyclicBarrier barrier = new CyclicBarrier(3);
      pool.parallelFor(0, 3, 1, (_, _) -> meet(barrier));
      assertThat(barrier.getNumberWaiting()).isZero();
    }
  }

  @Test
  void emptyRangesDoNothing() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      pool.parallelFor(
          5,
          5,
          1,
          (_, _) -> {
            throw new AssertionError("called");
          });
    }
  }

  @Test
  void theFailureOfAPieceReachesTheCallerAndStopsTheOthers() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      IllegalStateException failure = new IllegalStateException("piece");
      AtomicInteger started = new AtomicInteger();
      assertThatThrownBy(
              () ->
                  pool.parallelFor(
                      0,
                      1000,
                      1,
                      (_, _) -> {
                        started.incrementAndGet();
                        throw failure;
                      }))
          .isSameAs(failure);
      assertThat(started.get()).isBetween(1, 2);
      // The workers are still there.
      CyclicBarrier barrier = new CyclicBarrier(2);
      pool.runGang(2, (_, _) -> meet(barrier));
    }
  }

  @Test
  void furtherFailuresAreSuppressedInTheFirst() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      CyclicBarrier barrier = new CyclicBarrier(2);
      Throwable thrown =
          catchThrowable(
              () ->
                  pool.runGang(
                      2,
                      (index, _) -> {
                        meet(barrier);
                        throw new IllegalStateException("member " + index);
                      }));
      assertThat(thrown).isInstanceOf(IllegalStateException.class);
      assertThat(new String[] {thrown.getMessage(), thrown.getSuppressed()[0].getMessage()})
          .containsExactlyInAnyOrder("member 0", "member 1");
    }
  }

  @Test
  void errorsAndCheckedExceptionsReachTheCaller() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      assertThatThrownBy(
              () ->
                  pool.parallelFor(
                      0,
                      10,
                      1,
                      (_, _) -> {
                        throw new StackOverflowError("deep");
                      }))
          .isInstanceOf(StackOverflowError.class);
      assertThatThrownBy(() -> pool.parallelFor(0, 10, 1, (_, _) -> sneak(new IOException("disk"))))
          .isInstanceOf(CallException.class)
          .hasMessage("a parallel task failed: java.io.IOException: disk");
    }
  }

  @Test
  void nestedParallelForsDoNotDeadlock() {
    try (WorkerPool pool = WorkerPool.ofThreads(3)) {
      AtomicLong count = new AtomicLong();
      pool.parallelFor(
          0,
          20,
          1,
          (from, to) ->
              pool.parallelFor(
                  from * 10,
                  to * 10,
                  1,
                  (innerFrom, innerTo) ->
                      pool.parallelFor(
                          0, 10 * (innerTo - innerFrom), 3, (a, b) -> count.addAndGet(b - a))));
      assertThat(count.get()).isEqualTo(2000);
    }
  }

  @Test
  void gangMembersRunAtTheSameTimeWithTheirIndices() {
    try (WorkerPool pool = WorkerPool.ofThreads(4)) {
      for (int size = 1; size <= 4; size++) {
        CyclicBarrier barrier = new CyclicBarrier(size);
        boolean[] seen = new boolean[size];
        Thread caller = Thread.currentThread();
        AtomicBoolean callerIsFirst = new AtomicBoolean();
        int expected = size;
        pool.runGang(
            size,
            (index, workers) -> {
              assertThat(workers).isEqualTo(expected);
              meet(barrier);
              seen[index] = true;
              if (index == 0) {
                callerIsFirst.set(Thread.currentThread().equals(caller));
              }
              meet(barrier);
            });
        boolean[] all = new boolean[size];
        Arrays.fill(all, true);
        assertThat(seen).isEqualTo(all);
        assertThat(callerIsFirst).isTrue();
      }
    }
  }

  @Test
  void manyGangsAndRangesAtOnceAllEnd() throws Exception {
    try (WorkerPool pool = WorkerPool.ofThreads(4)) {
      int callers = 8;
      int rounds = 200;
      AtomicInteger gangs = new AtomicInteger();
      AtomicLong indices = new AtomicLong();
      Completion failures = new Completion();
      Thread[] threads = new Thread[callers];
      for (int c = 0; c < callers; c++) {
        int caller = c;
        threads[c] =
            new Thread(
                () ->
                    failures.run(
                        (_, _) -> {
                          for (int round = 0; round < rounds; round++) {
                            if (caller % 2 == 0) {
                              int size = 2 + (caller / 2 + round) % 3;
                              CyclicBarrier barrier = new CyclicBarrier(size);
                              pool.runGang(
                                  size,
                                  (_, _) -> {
                                    meet(barrier);
                                    pool.parallelFor(0, 8, 1, (a, b) -> indices.addAndGet(b - a));
                                    meet(barrier);
                                    gangs.incrementAndGet();
                                  });
                            } else {
                              pool.parallelFor(0, 50, 1, (a, b) -> indices.addAndGet(b - a));
                            }
                          }
                        },
                        0,
                        0));
        threads[c].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      failures.await(callers);
      int members = 0;
      for (int caller = 0; caller < callers; caller += 2) {
        for (int round = 0; round < rounds; round++) {
          members += 2 + (caller / 2 + round) % 3;
        }
      }
      assertThat(gangs.get()).isEqualTo(members);
      assertThat(indices.get()).isEqualTo(members * 8L + callers / 2 * rounds * 50L);
    }
  }

  @Test
  void aGangGetsItsWorkersAlthoughARangeNeverRunsOut() throws Exception {
    try (WorkerPool pool = WorkerPool.ofThreads(3)) {
      AtomicBoolean stop = new AtomicBoolean();
      CountDownLatch busy = new CountDownLatch(1);
      Thread ranges =
          new Thread(
              () -> {
                while (!stop.get()) {
                  pool.parallelFor(0, 1000, 1, (_, _) -> busy.countDown());
                }
              });
      ranges.start();
      busy.await();
      CyclicBarrier barrier = new CyclicBarrier(3);
      for (int i = 0; i < 50; i++) {
        pool.runGang(3, (_, _) -> meet(barrier));
      }
      stop.set(true);
      ranges.join();
    }
  }

  @Test
  void gangsFromWithinParallelWorkAreRefused() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      String message =
          "cannot run a gang of 2 workers from within parallel work of the same pool: its threads"
              + " may all be waiting for this one";
      assertThatThrownBy(() -> pool.runGang(2, (_, _) -> pool.runGang(2, (_, _) -> {})))
          .isInstanceOf(CallException.class)
          .hasMessage(message);
      assertThatThrownBy(() -> pool.parallelFor(0, 1, 1, (_, _) -> pool.runGang(2, (_, _) -> {})))
          .hasMessage(message);
      AtomicInteger ran = new AtomicInteger();
      pool.runGang(2, (_, _) -> pool.runGang(1, (_, _) -> ran.incrementAndGet()));
      assertThat(ran.get()).isEqualTo(2);
    }
  }

  @Test
  void badSizesAreRefused() {
    assertThatThrownBy(() -> WorkerPool.ofThreads(0))
        .hasMessage("a worker pool needs at least 1 thread, but got 0");
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      assertThatThrownBy(() -> pool.runGang(3, (_, _) -> {}))
          .hasMessage(
              "cannot run a gang of 3 workers: the pool has 2 threads, the caller included");
      assertThatThrownBy(() -> pool.parallelFor(0, 1, 0, (_, _) -> {}))
          .hasMessage("the grain must be at least 1, but is 0");
      assertThatThrownBy(() -> pool.parallelFor(Long.MIN_VALUE, 1, 1, (_, _) -> {}))
          .hasMessage("the range from -9223372036854775808 to 1 has more than 2^63-1 indices");
    }
  }

  @Test
  void anInterruptWhileWaitingIsKept() {
    try (WorkerPool pool = WorkerPool.ofThreads(2)) {
      Thread.currentThread().interrupt();
      AtomicInteger sum = new AtomicInteger();
      pool.parallelFor(0, 100, 1, (from, to) -> sum.addAndGet((int) (to - from)));
      pool.runGang(2, (_, _) -> sum.incrementAndGet());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(sum.get()).isEqualTo(102);
    }
  }

  @Test
  void closeEndsTheThreadsAndRefusesWork() throws Exception {
    ThreadWorkerPool pool = ThreadWorkerPool.start(3, true);
    pool.parallelFor(0, 100, 1, (_, _) -> {});
    pool.close();
    pool.close();
    for (Thread thread : pool.threads()) {
      thread.join();
    }
    assertThat(pool.threads()).hasSize(2);
    String message = "this worker pool is closed: it takes no more work";
    assertThatThrownBy(() -> pool.parallelFor(0, 1, 1, (_, _) -> {})).hasMessage(message);
    assertThatThrownBy(() -> pool.runGang(2, (_, _) -> {})).hasMessage(message);
  }

  @Test
  void closeLetsRunningWorkEnd() throws Exception {
    ThreadWorkerPool pool = ThreadWorkerPool.start(2, true);
    CyclicBarrier barrier = new CyclicBarrier(2);
    AtomicInteger done = new AtomicInteger();
    pool.runGang(
        2,
        (index, _) -> {
          if (index == 0) {
            pool.close();
          }
          meet(barrier);
          done.incrementAndGet();
        });
    assertThat(done.get()).isEqualTo(2);
  }

  @Test
  void theSharedPoolIsOneAndIgnoresClose() {
    WorkerPool shared = WorkerPool.shared();
    shared.close();
    assertThat(WorkerPool.shared()).isSameAs(shared);
    assertThat(shared.parallelism()).isEqualTo(Runtime.getRuntime().availableProcessors());
    AtomicLong count = new AtomicLong();
    shared.parallelFor(0, 100, 1, (from, to) -> count.addAndGet(to - from));
    assertThat(count.get()).isEqualTo(100);
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("the others did not come", e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> void sneak(Exception e) throws E {
    throw (E) e;
  }

  @Test
  void aGangThatCannotGatherForWantOfMemoryFails() throws Exception {
    try (ThreadWorkerPool pool = ThreadWorkerPool.start(3, true)) {
      CountDownLatch busy = new CountDownLatch(2);
      CountDownLatch end = new CountDownLatch(1);
      Thread other =
          Thread.ofPlatform()
              .start(
                  () ->
                      pool.parallelFor(
                          0,
                          2,
                          1,
                          (_, _) -> {
                            busy.countDown();
                            try {
                              end.await();
                            } catch (InterruptedException e) {
                              throw new AssertionError(e);
                            }
                          }));
      busy.await();
      OutOfMemoryError reason = new OutOfMemoryError("test");
      AtomicInteger ran = new AtomicInteger();
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread caller =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      pool.runGang(3, (_, _) -> ran.incrementAndGet());
                    } catch (OutOfMemoryError e) {
                      failure.complete(e);
                    }
                  });
      // Two threads are busy, so it gathers until it is called off.
      while (!failure.isDone()) {
        pool.callOffGang(reason);
        Thread.onSpinWait();
      }
      assertThat(failure.get()).isSameAs(reason);
      assertThat(ran).hasValue(0);
      end.countDown();
      other.join();
      caller.join();
      // The threads are there for the next one.
      pool.runGang(3, (_, _) -> ran.incrementAndGet());
      assertThat(ran).hasValue(3);
    }
  }
}
