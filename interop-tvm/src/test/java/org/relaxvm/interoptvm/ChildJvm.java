package org.relaxvm.interoptvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Test code in a JVM of its own, which native code may end. */
public final class ChildJvm {
  private static final long MOST_SECONDS = 100;

  private ChildJvm() {}

  /**
   * Runs a class to its end.
   *
   * @return what it printed
   * @throws AssertionError with all that it said, when it ended in another way than by itself
   */
  public static String run(Class<?> main, List<String> flags, Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:-CreateCoredumpOnCrash"));
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    try {
      Path messages = Files.createTempFile("relaxvm", ".err");
      try {
        Process process =
            new ProcessBuilder(command)
                .directory(new File(System.getProperty("java.io.tmpdir")))
                .redirectError(messages.toFile())
                .start();
        process.getOutputStream().close();
        // Reading its output cannot be interrupted: the limit of a test alone would not end it.
        CompletableFuture<Void> limit =
            CompletableFuture.runAsync(
                process::destroyForcibly,
                CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS));
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        limit.cancel(false);
        int status = process.waitFor();
        if (status != 0) {
          throw new AssertionError(
              "exit code " + status + "\n" + out + "\n" + Files.readString(messages));
        }
        return out;
      } finally {
        Files.delete(messages);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The class path of the tests. Surefire's own start-up jar stands for it in the usual place. */
  public static String classPath() {
    String found =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", ""));
    List<String> absolute = new ArrayList<>();
    for (String entry : found.split(File.pathSeparator)) {
      absolute.add(Path.of(entry).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, absolute);
  }
}
