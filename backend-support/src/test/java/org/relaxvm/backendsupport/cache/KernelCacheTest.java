package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.backendsupport.cache.TestCache.NOT_TO_BE_COMPILED;
import static org.relaxvm.backendsupport.cache.TestCache.compiled;
import static org.relaxvm.backendsupport.cache.TestCache.file;
import static org.relaxvm.backendsupport.cache.TestCache.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

class KernelCacheTest {
  @TempDir Path folder;

  @Test
  void aKernelIsThereAfterTheCacheIsOpenedAgain() {
    TestCache first = TestCache.in(folder);
    byte[] made = first.get(key(1));
    assertThat(first.cache.state())
        .isEqualTo(
            new CacheState(Optional.of(folder), "the program", "", 1, 1084, 512L << 20, 0, 1));
    TestCache second = TestCache.in(folder);
    assertThat(second.cache.get(key(1), NOT_TO_BE_COMPILED)).isEqualTo(made);
    assertThat(second.cache.state())
        .isEqualTo(
            new CacheState(Optional.of(folder), "the program", "", 1, 1084, 512L << 20, 1, 0));
    assertThat(first.warnings).isEmpty();
    assertThat(second.warnings).isEmpty();
  }

  @Test
  void aKernelOfNoBytesIsOneToo() {
    TestCache opened = TestCache.in(folder);
    opened.cache.get(key(1), () -> new byte[0]);
    assertThat(opened.cache.get(key(1), NOT_TO_BE_COMPILED)).isEmpty();
  }

  @Test
  void whoChangesTheBytesChangesOnlyTheirOwn() {
    TestCache opened = TestCache.in(folder);
    byte[] made = opened.get(key(1));
    made[0]++;
    assertThat(opened.cache.get(key(1), NOT_TO_BE_COMPILED)).isEqualTo(compiled(key(1), 1000));
  }

  @Test
  void aDiscardedKernelIsCompiledAgain() {
    TestCache opened = TestCache.in(folder);
    opened.get(key(1));
    opened.cache.discard(key(1));
    opened.cache.discard(key(2));
    assertThat(file(folder, key(1))).doesNotExist();
    assertThat(opened.cache.get(key(1), () -> new byte[] {7})).containsExactly(7);
    assertThat(opened.cache.get(key(1), NOT_TO_BE_COMPILED)).containsExactly(7);
  }

  @Test
  void whatTheCompilerThrowsComesThroughAndNothingIsKept() {
    TestCache opened = TestCache.in(folder);
    BackendException refused = new BackendException(ErrorKind.INTERNAL, "line 1: no");
    assertThatThrownBy(
            () ->
                opened.cache.get(
                    key(1),
                    () -> {
                      throw refused;
                    }))
        .isSameAs(refused);
    assertThat(opened.cache.state().entries()).isZero();
    assertThat(opened.get(key(1))).isEqualTo(compiled(key(1), 1000));
  }

  @Test
  void threadsThatWantOneKernelCompileItOnce() throws Exception {
    TestCache opened = TestCache.in(folder);
    AtomicInteger compilations = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    List<Future<List<byte[]>>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
      for (int t = 0; t < 16; t++) {
        int first = t;
        all.add(
            threads.submit(
                () -> {
                  go.await();
                  List<byte[]> got = new ArrayList<>();
                  for (int k = 0; k < 20; k++) {
                    KernelKey wanted = key((first + k) % 20);
                    got.add(
                        opened.cache.get(
                            wanted,
                            () -> {
                              compilations.incrementAndGet();
                              return compiled(wanted, 5000);
                            }));
                  }
                  return got;
                }));
      }
      go.countDown();
      for (int t = 0; t < 16; t++) {
        List<byte[]> got = all.get(t).get();
        for (int k = 0; k < 20; k++) {
          assertThat(got.get(k)).isEqualTo(compiled(key((t + k) % 20), 5000));
        }
      }
    }
    assertThat(compilations).hasValue(20);
    CacheState state = opened.cache.state();
    assertThat(state.entries()).isEqualTo(20);
    assertThat(state.misses()).isEqualTo(20);
    assertThat(state.hits()).isEqualTo(16 * 20 - 20);
    assertThat(opened.warnings).isEmpty();
  }

  @Test
  void whoeverWaitsForACompilationThatFailsGetsAFailureOfItsOwn() throws Exception {
    TestCache opened = TestCache.in(folder);
    CountDownLatch compiling = new CountDownLatch(1);
    CountDownLatch fail = new CountDownLatch(1);
    BackendException refused = new BackendException(ErrorKind.INTERNAL, "line 1: no");
    BackendException refusedAgain = new BackendException(ErrorKind.INTERNAL, "line 1: still no");
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<byte[]> first =
          threads.submit(
              () ->
                  opened.cache.get(
                      key(1),
                      () -> {
                        compiling.countDown();
                        awaitUninterrupted(fail);
                        throw refused;
                      }));
      compiling.await();
      FutureTask<byte[]> second =
          new FutureTask<>(
              () ->
                  opened.cache.get(
                      key(1),
                      () -> {
                        throw refusedAgain;
                      }));
      Thread waiting = Thread.ofPlatform().start(second);
      while (waiting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      fail.countDown();
      assertThatThrownBy(first::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isSameAs(refused);
      assertThatThrownBy(second::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isSameAs(refusedAgain);
    }
  }

  @Test
  void whoIsInterruptedWhileItWaitsIsTold() throws Exception {
    TestCache opened = TestCache.in(folder);
    CountDownLatch compiling = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<byte[]> first =
          threads.submit(
              () ->
                  opened.cache.get(
                      key(1),
                      () -> {
                        compiling.countDown();
                        awaitUninterrupted(done);
                        return new byte[] {1};
                      }));
      compiling.await();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> opened.cache.get(key(1), NOT_TO_BE_COMPILED))
          .isInstanceOf(CallException.class)
          .hasMessage("interrupted while another thread compiled " + key(1));
      assertThat(Thread.interrupted()).isTrue();
      done.countDown();
      assertThat(first.get()).containsExactly(1);
    }
  }

  @Test
  void anInterruptedThreadNeitherLosesEntriesNorDisablesTheCache() {
    TestCache opened = TestCache.in(folder);
    opened.get(key(1));
    Thread.currentThread().interrupt();
    assertThat(opened.get(key(1))).isEqualTo(compiled(key(1), 1000));
    assertThat(opened.get(key(2))).isEqualTo(compiled(key(2), 1000));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(opened.cache.get(key(1), NOT_TO_BE_COMPILED)).isEqualTo(compiled(key(1), 1000));
    opened.get(key(2));
    assertThat(opened.cache.get(key(2), NOT_TO_BE_COMPILED)).isEqualTo(compiled(key(2), 1000));
    assertThat(opened.warnings).isEmpty();
  }

  @Test
  void aCacheThatIsOffCompilesEachTime() {
    TestCache opened = new TestCache(CacheSettings.off());
    AtomicInteger compilations = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      assertThat(opened.cache.get(key(1), () -> new byte[] {(byte) compilations.incrementAndGet()}))
          .containsExactly(i + 1);
    }
    opened.cache.discard(key(1));
    assertThat(opened.warnings).isEmpty();
    assertThat(opened.cache.state())
        .isEqualTo(new CacheState(Optional.empty(), "the program", "", 0, 0, 0, 0, 2));
  }

  @Test
  void aSettingThatIsNotUnderstoodIsAWarning() {
    TestCache opened =
        new TestCache(
            new CacheSettings(Optional.of(folder), 1000, "default", List.of("the limit is odd")));
    assertThat(opened.warnings).containsExactly("the limit is odd");
    assertThat(opened.cache.state().on()).isTrue();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "permissions are those of Unix")
  void theFolderIsItsOwnersAlone() throws IOException {
    Path fresh = folder.resolve("a", "b");
    TestCache.in(fresh).get(key(1));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fresh)))
        .isEqualTo("rwx------");
  }

  @Test
  void theStateIsOneLine() {
    Optional<Path> in = Optional.of(Path.of("kernels"));
    assertThat(new CacheState(in, "default", "", 1200, 3 << 20, 512L << 20, 0, 0))
        .hasToString(
            "kernels: 1,200 kernels, 3.0 of 512 MiB (default; RELAXVM_KERNEL_CACHE=off or a folder"
                + " changes it)");
    assertThat(new CacheState(in, "default", "kernels is not a folder", 0, 0, 512L << 20, 0, 0))
        .hasToString(
            "kernels: 0 kernels, 0.0 of 512 MiB, not written: kernels is not a folder; set"
                + " RELAXVM_KERNEL_CACHE to another folder");
    assertThat(new CacheState(Optional.empty(), "RELAXVM_KERNEL_CACHE", "", 0, 0, 0, 0, 0))
        .hasToString("off by RELAXVM_KERNEL_CACHE; unset it to turn it on");
    assertThat(new CacheState(Optional.empty(), "default", "no home", 0, 0, 0, 0, 0))
        .hasToString("off: no home");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatIsPutReplacesWhatWasThereAndIsNotCounted() {
    TestCache first = TestCache.in(folder);
    KernelKey key = TestCache.key(1);
    assertThat(first.cache.find(key)).isEmpty();
    first.cache.put(key, new byte[] {1});
    first.cache.put(key, new byte[] {2, 3});
    TestCache later = TestCache.in(folder);
    assertThat(later.cache.find(key))
        .hasValueSatisfying(found -> assertThat(found).isEqualTo(new byte[] {2, 3}));
    assertThat(later.cache.state().hits()).isZero();
    assertThat(later.cache.state().misses()).isZero();
    assertThat(later.cache.state().entries()).isEqualTo(1);
  }
}
