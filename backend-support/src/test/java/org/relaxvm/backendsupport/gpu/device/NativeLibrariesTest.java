package org.relaxvm.backendsupport.gpu.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class NativeLibrariesTest {
  private static final String TEMPORARY = "java.io.tmpdir";

  @Test
  void bindingsExtractToAFolderOfTheirOwnWhichIsGoneAfterwards() throws IOException {
    String before = System.getProperty(TEMPORARY);
    List<Path> seen = new ArrayList<>();
    NativeLibraries.initialize(
        "test",
        () -> {
          Path folder = Path.of(System.getProperty(TEMPORARY));
          seen.add(folder);
          write(folder.resolve("library.so"));
        });
    assertThat(System.getProperty(TEMPORARY)).isEqualTo(before);
    assertThat(seen).singleElement().asString().startsWith(before).contains("relaxvm-test-");
    assertThat(seen.getFirst()).doesNotExist();
  }

  @Test
  void theFolderForTemporaryFilesIsRestoredAfterAFailure() {
    String before = System.getProperty(TEMPORARY);
    assertThatThrownBy(
            () ->
                NativeLibraries.initialize(
                    "test",
                    () -> {
                      throw new UnsatisfiedLinkError("no such file");
                    }))
        .isInstanceOf(UnsatisfiedLinkError.class);
    assertThat(System.getProperty(TEMPORARY)).isEqualTo(before);
  }

  @Test
  void theErrorNamesTheSystemTheCauseAndTheFolder() {
    assertThat(
            NativeLibraries.unusable(
                "JOCL", "install a driver, ", new UnsatisfiedLinkError("no such file\nat x")))
        .hasMessage(
            "the native part of JOCL cannot be loaded on %s %s: java.lang.UnsatisfiedLinkError: no such file\n  what to do: install a driver, see to it that files can be written to and run from the folder %s, or name another with -Djava.io.tmpdir="
                .formatted(
                    System.getProperty("os.name"),
                    System.getProperty("os.arch"),
                    System.getProperty(TEMPORARY)));
  }

  @Test
  void deletingTheFilesOfAFolderThatIsAbsentDoesNothing() throws IOException {
    NativeLibraries.deleteFiles(Path.of("absent"));
    assertThat(Path.of("absent")).doesNotExist();
  }

  private static void write(Path file) {
    try {
      Files.write(file, new byte[8]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
