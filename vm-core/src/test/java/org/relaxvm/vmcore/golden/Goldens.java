package org.relaxvm.vmcore.golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ReadOptions;

/** The artefacts of Apache TVM that tests compare with; they lie beside the project. */
public final class Goldens {
  private static final Path ROOT = Path.of("../../shared/golden");

  private Goldens() {}

  /** A case folder. */
  public record Case(Path folder) {
    /** The folder's name. */
    public String name() {
      return folder.getFileName().toString();
    }

    /** The bytes of the executable. */
    public byte[] bytes() {
      return Goldens.bytes(folder.resolve("executable.bin"));
    }

    /** The executable. */
    public Executable executable() {
      return ExecutableReader.read(bytes(), ReadOptions.DEFAULT);
    }

    /** Whether a file is there. */
    public boolean has(String file) {
      return Files.exists(folder.resolve(file));
    }

    /** The text of a file. */
    public String text(String file) {
      return new String(
          Goldens.bytes(folder.resolve(file)), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  /** A check of one case. */
  @FunctionalInterface
  public interface Check {
    /** Checks a case. */
    void accept(Case golden) throws Exception;
  }

  /** One test per case folder; a single skipped one that says why when there are none. */
  public static Stream<DynamicTest> forEach(Check check) {
    if (!Files.isDirectory(ROOT)) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "golden artefacts",
              () -> {
                String reason = "no golden artefacts in " + ROOT.toAbsolutePath().normalize();
                System.out.println("skipped: " + reason);
                Assumptions.abort(reason);
              }));
    }
    return cases().stream()
        .map(golden -> DynamicTest.dynamicTest(golden.name(), () -> check.accept(golden)));
  }

  private static List<Case> cases() {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve("executable.bin")))
          .sorted()
          .map(Case::new)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
