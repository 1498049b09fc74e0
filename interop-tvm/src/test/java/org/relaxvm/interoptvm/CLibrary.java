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

/** Libraries that tests compile from C. */
public final class CLibrary {
  private CLibrary() {}

  /** Compiles a resource; without a compiler the test is skipped, and says so. */
  public static Path compile(Path folder, String source, String name, String... flags) {
    try (InputStream in = CLibrary.class.getResourceAsStream(source)) {
      return compileText(folder, new String(in.readAllBytes(), UTF_8), name, flags);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Compiles a source text; without a compiler the test is skipped, and says so. */
  public static Path compileText(Path folder, String source, String name, String... flags)
      throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".c"), source);
    Path library = folder.resolve(name);
    List<String> command = new ArrayList<>(List.of(compiler(), "-shared", "-fPIC", "-O1"));
    command.addAll(List.of("-o", library.toString(), file.toString()));
    command.addAll(List.of(flags));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new AssertionError(output);
    }
    return library;
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
