package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.backendsupport.cache.CacheProcess.KERNELS;
import static org.relaxvm.backendsupport.cache.CacheProcess.LARGE_KERNEL;
import static org.relaxvm.backendsupport.cache.TestCache.NOT_TO_BE_COMPILED;
import static org.relaxvm.backendsupport.cache.TestCache.compiled;
import static org.relaxvm.backendsupport.cache.TestCache.file;
import static org.relaxvm.backendsupport.cache.TestCache.key;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One folder and several processes, some of which die. */
class SharedCacheTest {
  @TempDir Path folder;

  @Test
  void processesShareAFolderWhileTheyMakeRoomForEachOther() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(ChildJvm.start(CacheProcess.class, "use", folder));
    }
    long asked = 0;
    for (Process process : processes) {
      for (String count : ChildJvm.end(process, 0).split(" ", -1)) {
        asked += Long.parseLong(count);
      }
    }
    assertThat(asked).isEqualTo(4 * 10 * KERNELS);
    TestCache opened = TestCache.in(folder);
    for (int i = 0; i < KERNELS; i++) {
      KernelKey key = key(i);
      assertThat(opened.cache.get(key, () -> compiled(key, 10_000)))
          .isEqualTo(compiled(key, 10_000));
    }
    assertThat(opened.cache.state().hits()).isPositive();
    assertThat(temporaries()).isEmpty();
  }

  @Test
  void aProcessFindsWhatAnotherKept() throws Exception {
    assertThat(ChildJvm.end(ChildJvm.start(CacheProcess.class, "keep", folder, 3), 0)).isEmpty();
    assertThat(TestCache.in(folder).cache.get(key(3), NOT_TO_BE_COMPILED))
        .isEqualTo(compiled(key(3), LARGE_KERNEL));
  }

  @Test
  void aProcessThatEndsHalfWayThroughAWriteLeavesAUsableCache() throws Exception {
    ChildJvm.end(ChildJvm.start(CacheProcess.class, "haltHalfWay", folder), CacheProcess.HALTED);
    assertThat(temporaries())
        .singleElement()
        .satisfies(file -> assertThat(file).hasSize(LARGE_KERNEL / 2));
    usable();
    assertThat(temporaries()).hasSize(1);
    Instant later = Instant.now().plus(Duration.ofHours(2));
    new TestCache(CacheSettings.in(folder), later).get(key(9));
    assertThat(temporaries()).isEmpty();
    assertThat(TestCache.in(folder).cache.get(key(0), NOT_TO_BE_COMPILED)).hasSize(LARGE_KERNEL);
  }

  @Test
  void aProcessKilledWhileItWritesLeavesAUsableCache() throws Exception {
    for (int attempt = 0; attempt < 3; attempt++) {
      Process process = ChildJvm.start(CacheProcess.class, "keepForever", folder);
      List<Path> before = temporaries();
      while (temporaries().size() == before.size()) {
        assertThat(process.isAlive()).isTrue();
        Thread.onSpinWait();
      }
      process.destroyForcibly().waitFor();
    }
    usable();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "'ulimit -f' is that of Linux")
  void whereThereIsNoSpaceNothingIsLeftAndItIsToldOnce() throws Exception {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -f 8000; exec \"$@\"", "sh"));
    command.addAll(ChildJvm.command(CacheProcess.class, "keep", folder, 3));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(ChildJvm.end(process, 0))
        .isEqualTo(
            "compiled kernels are not kept, so the next start compiles them again: cannot write "
                + file(folder, key(3))
                + ": File too large; set RELAXVM_KERNEL_CACHE to a folder that can be written, or"
                + " to off");
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      assertThat(all).isEmpty();
    }
  }

  private void usable() {
    TestCache opened = TestCache.in(folder);
    for (int i = 0; i < 4; i++) {
      KernelKey key = key(i);
      byte[] whole = compiled(key, LARGE_KERNEL);
      assertThat(opened.cache.get(key, () -> compiled(key, LARGE_KERNEL))).isEqualTo(whole);
      assertThat(opened.cache.get(key, NOT_TO_BE_COMPILED)).isEqualTo(whole);
    }
    assertThat(opened.warnings).isEmpty();
  }

  private List<Path> temporaries() throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*.tmp")) {
      all.forEach(files::add);
    }
    return files;
  }
}
