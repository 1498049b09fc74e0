package org.relaxvm.integrationtests.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.integrationtests.OurModules;

/** A JVM in which nobody has touched the flight recorder yet. */
final class ChildJvm {
  private ChildJvm() {}

  /** The tests' class path, as arguments. */
  static List<String> classPath() {
    return List.of(
        "-cp",
        OurModules.classPath().stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator)));
  }

  /** Runs and gives what was printed; a failure is a failed assertion. */
  static String run(List<String> flags, List<String> where, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(where);
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }
}
