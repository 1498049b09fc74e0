package org.relaxvm.interoptvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Libraries that tests compile from C sources among their resources. */
public final class CLibrary {
  private CLibrary() {}

  /** Compiles a source; without a compiler the test is skipped, and says so. */
  public static Path compile(Path folder, String source, String name, String... flags) {
    String compiler = compiler();
    try (InputStream in = CLibrary.class.getResourceAsStream(source)) {
      Path file = folder.resolve(source);
      Files.write(file, in.readAllBytes());
      Path library = folder.resolve(name);
      List<String> command = new ArrayList<>();
      command.addAll(List.of(compiler, "-shared", "-fPIC", "-O1", "-o", library.toString()));
      command.add(file.toString());
      command.addAll(List.of(flags));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(output);
      }
      return library;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The C compiler of this machine; without one the test is skipped, and says so. */
  public static String compiler() {
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
