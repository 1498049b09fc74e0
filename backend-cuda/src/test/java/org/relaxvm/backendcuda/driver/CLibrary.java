package org.relaxvm.backendcuda.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Libraries that tests compile from C. */
public final class CLibrary {
  private CLibrary() {}

  /**
   * Compiles a source; without a compiler the test is skipped, and says so.
   *
   * @param library the file that is made
   */
  public static Path compile(Path library, String source, String... flags) throws IOException {
    Path file = Files.writeString(Path.of(library + ".c"), source);
    List<String> command = new ArrayList<>(List.of(compiler(), "-shared", "-fPIC"));
    command.addAll(List.of(flags));
    command.addAll(List.of("-o", library.toString(), file.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError(output);
    }
    return library;
  }

  private static String compiler() {
    String found =
        Stream.of("cc", "gcc", "clang").filter(CLibrary::isOnPath).findFirst().orElse("");
    if (found.isEmpty() && System.getenv("RELAXVM_REQUIRE_C_COMPILER") != null) {
      throw new AssertionError("no C compiler (cc, gcc, clang) on PATH, but one is required");
    }
    if (found.isEmpty()) {
      System.out.println("skipped: no C compiler (cc, gcc, clang) on PATH");
    }
    Assumptions.assumeFalse(found.isEmpty(), "no C compiler on PATH");
    return found;
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
