package org.relaxvm.integrationtests.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;

/** What one run of the launcher printed, and how it ended. */
record LauncherRun(int status, String out, String err) {

  /** Waits for the end. Both outputs are far below the size of a pipe's buffer. */
  static LauncherRun finish(Process process) throws IOException, InterruptedException {
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new LauncherRun(process.waitFor(), out, err);
  }

  /** The arguments that reached Java, JVM flags included. */
  List<String> javaArguments() {
    return out.lines()
        .filter(line -> line.startsWith("argument: "))
        .map(line -> line.substring("argument: ".length()))
        .toList();
  }

  /** The arguments after the main class. */
  List<String> programArguments() {
    List<String> all = javaArguments();
    return all.subList(all.indexOf("org.relaxvm.cli.Main") + 1, all.size());
  }

  /** The value after {@code -cp}. */
  String classPath() {
    List<String> all = javaArguments();
    return all.get(all.indexOf("-cp") + 1);
  }
}
