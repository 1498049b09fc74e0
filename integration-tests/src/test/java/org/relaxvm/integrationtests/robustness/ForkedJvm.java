package org.relaxvm.integrationtests.robustness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.relaxvm.integrationtests.OurModules;

/** Runs a main class of these tests in a JVM with flags of its own. */
final class ForkedJvm {
  private ForkedJvm() {}

  /** What it printed on both streams; fails unless it ends with 0. */
  static String run(List<String> flags, Class<?> main, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    Collections.addAll(command, "--enable-native-access=ALL-UNNAMED", "-cp", classPath());
    command.add(main.getName());
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static String classPath() {
    return OurModules.classPath().stream().map(Path::toString).collect(joining(File.pathSeparator));
  }
}
