package org.relaxvm.integrationtests.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.relaxvm.integrationtests.OurModules;

/**
 * The command in a JVM of its own, with plugins on its class path or module path.
 *
 * @param code the exit code
 * @param out what it printed as its result
 * @param err its messages
 */
record Jvm(int code, String out, String err) {
  private static final String MAIN = "org.relaxvm.cli.Main";

  /** RelaxVM and plugins on the class path. */
  static Jvm onClassPath(List<Path> plugins, List<String> flags, String... arguments)
      throws IOException, InterruptedException {
    return run(flags, List.of("-cp", path(OurModules.classPathText(), plugins), MAIN), arguments);
  }

  /** RelaxVM and plugins on the module path. */
  static Jvm onModulePath(List<Path> plugins, List<String> flags, String... arguments)
      throws IOException, InterruptedException {
    return run(
        flags,
        List.of(
            "--module-path",
            path(OurModules.modulePath(), plugins),
            "--module",
            "org.relaxvm.cli/" + MAIN),
        arguments);
  }

  static String path(String first, List<Path> more) {
    return Stream.concat(Stream.of(first), more.stream().map(Path::toString))
        .filter(entry -> !entry.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Jvm run(List<String> flags, List<String> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A start takes less without the second compiler.
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(flags);
    command.addAll(main);
    command.addAll(Arrays.asList(arguments));
    Path errors = Files.createTempFile("relaxvm", ".err");
    try {
      Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Jvm(process.waitFor(), out, Files.readString(errors));
    } finally {
      Files.delete(errors);
    }
  }
}
