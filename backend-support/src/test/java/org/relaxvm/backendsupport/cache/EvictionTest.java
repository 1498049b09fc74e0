package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.backendsupport.cache.TestCache.NOT_TO_BE_COMPILED;
import static org.relaxvm.backendsupport.cache.TestCache.compiled;
import static org.relaxvm.backendsupport.cache.TestCache.file;
import static org.relaxvm.backendsupport.cache.TestCache.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvictionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final int ENTRY_BYTES = 1084;

  @TempDir Path folder;

  private TestCache open(long limitBytes) {
    return new TestCache(CacheSettings.in(folder, limitBytes), NOW);
  }

  private void usedBefore(int number, Duration age) throws IOException {
    Files.setLastModifiedTime(file(folder, key(number)), FileTime.from(NOW.minus(age)));
  }

  private List<Integer> kept(int count) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (Files.exists(file(folder, key(i)))) {
        numbers.add(i);
      }
    }
    return numbers;
  }

  @Test
  void entriesUsedLongestAgoGoUntilAQuarterIsFree() throws IOException {
    TestCache opened = open(8 * ENTRY_BYTES);
    for (int i = 0; i < 8; i++) {
      opened.get(key(i));
    }
    assertThat(kept(8)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < 8; i++) {
      usedBefore(i, Duration.ofDays(i == 1 ? 1 : 10 - i));
    }
    opened.get(key(8));
    // 1 was used yesterday, 8 just now; the others 10, 8, 7, 6, 5, 4 and 3 days ago.
    assertThat(kept(9)).containsExactly(1, 4, 5, 6, 7, 8);
    assertThat(opened.cache.state().bytes()).isEqualTo(6 * ENTRY_BYTES);
    assertThat(opened.warnings).isEmpty();
  }

  @Test
  void aHitIsAUse() throws IOException {
    TestCache opened = open(4 * ENTRY_BYTES);
    for (int i = 0; i < 4; i++) {
      opened.get(key(i));
      usedBefore(i, Duration.ofDays(10 - i));
    }
    opened.cache.get(key(0), NOT_TO_BE_COMPILED);
    opened.get(key(4));
    assertThat(kept(5)).containsExactly(0, 3, 4);
  }

  @Test
  void theTimeOfAUseIsWrittenOnceAnHour() throws IOException {
    TestCache opened = open(4 * ENTRY_BYTES);
    opened.get(key(0));
    usedBefore(0, Duration.ofMinutes(59));
    opened.get(key(0));
    assertThat(Files.getLastModifiedTime(file(folder, key(0))).toInstant())
        .isEqualTo(NOW.minus(Duration.ofMinutes(59)));
    usedBefore(0, Duration.ofMinutes(61));
    opened.get(key(0));
    assertThat(Files.getLastModifiedTime(file(folder, key(0))).toInstant()).isEqualTo(NOW);
  }

  @Test
  void whatOtherProcessesKeptIsCountedWhenTheFirstKernelIsKept() throws IOException {
    TestCache other = open(1 << 20);
    for (int i = 0; i < 10; i++) {
      other.get(key(i));
      usedBefore(i, Duration.ofDays(20 - i));
    }
    open(4 * ENTRY_BYTES).get(key(10));
    assertThat(kept(11)).containsExactly(8, 9, 10);
  }

  @Test
  void aKernelAboveTheLimitIsUsedButNotKept() {
    TestCache opened = open(ENTRY_BYTES - 1);
    assertThat(opened.get(key(0))).isEqualTo(compiled(key(0), 1000));
    assertThat(opened.cache.state().entries()).isZero();
    assertThat(opened.warnings).isEmpty();
  }

  @Test
  void leftOversOfDeadProcessesGoAfterAnHourAndOtherFilesNever() throws IOException {
    String id = key(0).id();
    Path old = Files.createFile(folder.resolve("." + id + ".kernel.1-2-3.tmp"));
    Path young = Files.createFile(folder.resolve("." + id + ".kernel.4-5-6.tmp"));
    Path notOurs = Files.writeString(folder.resolve("thesis.txt"), "x".repeat(9000));
    Path notOursEither = Files.createFile(folder.resolve(".x.tmp"));
    Path link = folder.resolve(key(7).id() + ".kernel");
    Files.createSymbolicLink(link, notOurs);
    for (Path file : List.of(old, notOurs, notOursEither)) {
      Files.setLastModifiedTime(file, FileTime.from(NOW.minus(Duration.ofMinutes(61))));
    }
    Files.setLastModifiedTime(young, FileTime.from(NOW.minus(Duration.ofMinutes(59))));
    open(2 * ENTRY_BYTES).get(key(0));
    assertThat(old).doesNotExist();
    assertThat(List.of(young, notOurs, notOursEither, link)).allMatch(Files::exists);
  }

  @Test
  void whoReadsIsNotDisturbedByWhoMakesRoom() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    List<Future<Integer>> readers = new ArrayList<>();
    TestCache small = open(6 * ENTRY_BYTES);
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int t = 0; t < 2; t++) {
        TestCache reader = open(6 * ENTRY_BYTES);
        readers.add(
            threads.submit(
                () -> {
                  int reads = 0;
                  while (!done.get()) {
                    KernelKey wanted = key(reads++ % 10);
                    assertThat(reader.get(wanted)).isEqualTo(compiled(wanted, 1000));
                  }
                  assertThat(reader.warnings).isEmpty();
                  return reads;
                }));
      }
      for (int i = 0; i < 300; i++) {
        small.get(key(i % 23));
      }
      done.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
    assertThat(small.warnings).isEmpty();
  }
}
