package org.relaxvm.vmcore.executable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The executables that Apache TVM wrote. */
public final class GoldenFiles {
  static final Path FOLDER = Path.of("..", "..", "shared", "golden");

  private GoldenFiles() {}

  /** Every executable; the test is skipped, with the reason, where the folder is absent. */
  public static List<Path> executables() {
    Assumptions.assumeTrue(
        Files.isDirectory(FOLDER), () -> "no golden files in " + FOLDER.toAbsolutePath());
    try (Stream<Path> files = Files.walk(FOLDER, 2)) {
      return files.filter(file -> file.toString().endsWith(".bin")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
