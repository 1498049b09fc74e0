package org.relaxvm.backendcuda.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A JVM of its own, in which the driver of CUDA is what a test wants it to. */
final class ChildJvm {
  private static final int MOST_SECONDS = 240;

  private ChildJvm() {}

  /**
   * Runs a class to its end.
   *
   * @return what it printed, errors included
   * @throws AssertionError with that text when it did not end well
   */
  static String run(Class<?> main, Map<String, String> environment, List<String> flags)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    Thread limit = Thread.ofVirtual().start(() -> end(process));
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    limit.interrupt();
    if (status != 0) {
      throw new AssertionError("exit code " + status + "\n" + out);
    }
    return out;
  }

  private static void end(Process process) {
    try {
      if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      // It ended in time.
    }
  }

  /** Surefire's own start-up jar stands for the class path in the usual location. */
  private static String classPath() {
    String found =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    List<String> absolute = new ArrayList<>();
    for (String entry : found.split(File.pathSeparator)) {
      absolute.add(Path.of(entry).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, absolute);
  }
}
