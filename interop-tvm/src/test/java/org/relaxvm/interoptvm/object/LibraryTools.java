package org.relaxvm.interoptvm.object;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The tools of this machine that show what is in a library. */
public final class LibraryTools {
  private LibraryTools() {}

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
