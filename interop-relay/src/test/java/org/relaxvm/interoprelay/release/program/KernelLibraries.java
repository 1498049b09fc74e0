package org.relaxvm.interoprelay.release.program;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Libraries of kernels that tests compile from C. */
final class KernelLibraries {
  private KernelLibraries() {}

  /** Compiles the kernels; without a compiler the test is skipped, and says so. */
  static Path compile(Path folder, String name, String... flags) throws IOException {
    Path source = folder.resolve("kernels.c");
    try (InputStream in =
        KernelLibraries.class.getResourceAsStream("/org/relaxvm/interoprelay/kernels.c")) {
      Files.write(source, in.readAllBytes());
    }
    Path library = folder.resolve(name);
    List<String> command = new ArrayList<>(List.of(compiler(), "-shared", "-fPIC", "-O1"));
    command.addAll(List.of("-Wl,-z,noexecstack", "-o", library.toString(), source.toString()));
    command.addAll(List.of(flags));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError(output);
    }
    return library;
  }

  private static String compiler() {
    String found =
        Stream.of("cc", "gcc", "clang").filter(KernelLibraries::isOnPath).findFirst().orElse("");
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
