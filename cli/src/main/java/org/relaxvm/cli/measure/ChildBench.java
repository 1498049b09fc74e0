package org.relaxvm.cli.measure;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs {@code relaxvm bench} in a JVM of its own, with the class path or module path of this one.
 */
final class ChildBench {
  // By name: the command's classes use this package.
  private static final String MAIN = "org.relaxvm.cli.Main";
  private static final String NATIVE_ACCESS = "--enable-native-access=";
  private static final String ERROR = "relaxvm: error: ";

  private ChildBench() {}

  /**
   * Times a call.
   *
   * @param jvmFlags further flags, such as system properties
   * @param arguments of {@code relaxvm bench}, without {@code --json}
   * @return nanoseconds of the median call
   * @throws IOException when the JVM does not start, or says what else is wrong
   */
  static double medianNanos(List<String> jvmFlags, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.addAll(jvmFlags);
    command.addAll(program());
    command.addAll(List.of("bench", "--json"));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output;
    try {
      process.getOutputStream().close();
      output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    } finally {
      process.destroy();
    }
    int status = process.waitFor();
    int from = output.indexOf('{');
    int to = output.lastIndexOf('}');
    if (status != 0 || from < 0 || to < from) {
      throw new IOException(reason(output) + " (exit code " + status + ")");
    }
    Map<String, Object> result = JSON.std.mapFrom(output.substring(from, to + 1));
    if (result.get("median_ns") instanceof Number nanos) {
      return nanos.doubleValue();
    }
    throw new IOException("'relaxvm bench' printed no median_ns: " + result);
  }

  private static List<String> program() {
    String classPath = System.getProperty("java.class.path", "");
    String modulePath = System.getProperty("jdk.module.path", "");
    Module own = ChildBench.class.getModule();
    if (own.isNamed()) {
      List<String> flags = new ArrayList<>(List.of("--module-path", modulePath));
      if (!classPath.isEmpty()) {
        flags.addAll(List.of("-cp", classPath));
      }
      flags.add(NATIVE_ACCESS + "ALL-UNNAMED,org.relaxvm.api");
      flags.addAll(List.of("-m", own.getName() + "/" + MAIN));
      return flags;
    }
    return List.of(NATIVE_ACCESS + "ALL-UNNAMED", "-cp", classPath, MAIN);
  }

  /** The line with the reason; what to do about it may follow. */
  private static String reason(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith(ERROR))
        .findFirst()
        .map(line -> line.substring(ERROR.length()))
        .orElseGet(
            () -> output.lines().filter(line -> !line.isBlank()).reduce("no output", (a, b) -> b));
  }
}
