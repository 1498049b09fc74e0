package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.interoptvm.CLibrary;

/** Runs this machine's C compiler and other tools. */
public final class CompiledC {
  private CompiledC() {}

  /** A library made from a source; without a compiler the test is skipped, and says so. */
  public static Path library(Path folder, String source, String... flags) throws IOException {
    Path file = Files.writeString(folder.resolve("library.c"), source);
    Path library = folder.resolve("library.so");
    List<String> command = new ArrayList<>(List.of(CLibrary.compiler(), "-shared", "-fPIC", "-O1"));
    command.addAll(List.of("-o", library.toString(), file.toString()));
    command.addAll(List.of(flags));
    requireOutput(command);
    return library;
  }

  /** What a command prints; without the command the test is skipped, and says so. */
  public static String requireOutput(List<String> command) throws IOException {
    Optional<String> output = output(command);
    if (output.isEmpty()) {
      System.out.println("skipped: no command " + command.getFirst());
    }
    Assumptions.assumeTrue(output.isPresent(), "no command " + command.getFirst());
    return output.orElseThrow();
  }

  private static Optional<String> output(List<String> command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException _) {
      return Optional.empty();
    }
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as("%s: %s", command, text).isZero();
    return Optional.of(text);
  }
}
