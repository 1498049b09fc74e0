package org.relaxvm.backendsupport.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a main method of the tests in a process of its own. */
final class ChildJvm {
  private ChildJvm() {}

  /** The command that does so. */
  static List<String> command(Class<?> main, Object... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return command;
  }

  static Process start(Class<?> main, Object... arguments) throws IOException {
    return new ProcessBuilder(command(main, arguments)).redirectErrorStream(true).start();
  }

  /** Waits for the end, and gives what was printed. */
  static String end(Process process, int status) throws IOException, InterruptedException {
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(process.waitFor()).as(printed).isEqualTo(status);
    return printed;
  }
}
