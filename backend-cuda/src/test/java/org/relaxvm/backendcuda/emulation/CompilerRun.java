package org.relaxvm.backendcuda.emulation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendcuda.kernels.CompileException;

/** One call of the C++ compiler. */
final class CompilerRun {
  static final String COMPILER = "c++";

  /** For programs, and for what they are linked with. */
  static final List<String> OPTIONS =
      List.of("-std=c++17", "-w", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv");

  private CompilerRun() {}

  /** The first line that the compiler prints of its version; empty where there is none. */
  static String version() {
    try {
      Process process =
          new ProcessBuilder(COMPILER, "--version")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? text.lines().findFirst().orElse("") : "";
    } catch (IOException _) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /**
   * Calls the compiler.
   *
   * @param what what is compiled, for messages
   * @param folder where the compiler runs
   * @throws CompileException when it refuses the source; the log is what it printed
   */
  static void run(String what, Path folder, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(COMPILER));
    command.addAll(OPTIONS);
    command.addAll(arguments);
    Path log = folder.resolve("log");
    int status =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new CompileException(
          COMPILER + " refuses " + what + " with status " + status, Files.readString(log));
    }
  }
}
