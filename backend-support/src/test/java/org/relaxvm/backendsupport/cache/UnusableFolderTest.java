package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.relaxvm.backendsupport.cache.TestCache.NOT_TO_BE_COMPILED;
import static org.relaxvm.backendsupport.cache.TestCache.compiled;
import static org.relaxvm.backendsupport.cache.TestCache.file;
import static org.relaxvm.backendsupport.cache.TestCache.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A program runs whatever the folder is; it is told once. */
class UnusableFolderTest {
  @TempDir Path folder;

  private static void worksWithout(TestCache opened, String problem) {
    for (int i = 0; i < 3; i++) {
      assertThat(opened.get(key(i))).isEqualTo(compiled(key(i), 1000));
      assertThat(opened.get(key(i))).isEqualTo(compiled(key(i), 1000));
    }
    assertThat(opened.warnings)
        .containsExactly(
            "compiled kernels are not kept, so the next start compiles them again: "
                + problem
                + "; set RELAXVM_KERNEL_CACHE to a folder that can be written, or to off");
    CacheState state = opened.cache.state();
    assertThat(state.problem()).isEqualTo(problem);
    assertThat(state.on()).isFalse();
    assertThat(state.entries()).isZero();
    assertThat(state.misses()).isEqualTo(6);
  }

  @Test
  void aFileInsteadOfTheFolderIsNoCache() throws IOException {
    Path file = Files.createFile(folder.resolve("cache"));
    TestCache opened = TestCache.in(file);
    assertThat(opened.cache.state().problem()).isEqualTo(file + " is not a folder");
    worksWithout(opened, "cannot use " + file + ": " + file + " is not a folder");
  }

  @Test
  void aFileAboveTheFolderIsNoCache() throws IOException {
    Path file = Files.createFile(folder.resolve("cache"));
    Path below = file.resolve("a").resolve("b");
    TestCache opened = TestCache.in(below);
    assertThat(opened.cache.state().problem()).isEqualTo(file + " is not a folder");
    assertThat(opened.get(key(0))).isEqualTo(compiled(key(0), 1000));
    assertThat(opened.warnings).hasSize(1);
    assertThat(opened.cache.state().on()).isFalse();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the folder is one of Linux")
  void aFolderThatNotEvenRootCanMakeIsNoCache() {
    Path denied = Path.of("/proc/self/relaxvm");
    worksWithout(
        TestCache.in(denied),
        "cannot use /proc/self/relaxvm: no such file or folder: /proc/self/relaxvm");
  }

  @Test
  @EnabledOnOs(
      value = {OS.LINUX, OS.MAC},
      disabledReason = "permissions are those of Unix")
  void aFolderThatCanOnlyBeReadStillGivesWhatItHas() throws IOException {
    TestCache.in(folder).get(key(1));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeThat(Files.isWritable(folder))
          .as("this user writes to folders that are read-only, as root does")
          .isFalse();
      TestCache opened = TestCache.in(folder);
      assertThat(opened.cache.state().problem()).isEqualTo(folder + " cannot be written");
      assertThat(opened.cache.get(key(1), NOT_TO_BE_COMPILED)).isEqualTo(compiled(key(1), 1000));
      assertThat(opened.warnings).isEmpty();
      opened.get(key(2));
      opened.get(key(3));
      assertThat(opened.warnings)
          .containsExactly(
              "compiled kernels are not kept, so the next start compiles them again: cannot write "
                  + file(folder, key(2))
                  + ": permission denied; set RELAXVM_KERNEL_CACHE to a folder that can be"
                  + " written, or to off");
      assertThat(opened.cache.get(key(1), NOT_TO_BE_COMPILED)).isEqualTo(compiled(key(1), 1000));
    } finally {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
