package org.relaxvm.cli;

import java.nio.file.Path;
import java.util.List;
import org.relaxvm.cli.command.BuiltInCommand;
import org.relaxvm.cli.command.RunCommand;
import org.relaxvm.cli.output.Console;

/**
 * The command {@code run PROGRAM INPUT...} without options, executed without the command-line
 * library.
 *
 * <p>Rationale: docs/rationale/cli.md, "Why does a plain run not use picocli?"
 */
final class PlainRun {
  private PlainRun() {}

  /** Whether arguments are a run without options, and none names a file of arguments. */
  static boolean takes(String... args) {
    if (args.length < 2 || !args[0].equals(BuiltInCommand.RUN.text())) {
      return false;
    }
    for (String argument : args) {
      if (argument.isEmpty() || argument.charAt(0) == '-' || argument.charAt(0) == '@') {
        return false;
      }
    }
    return true;
  }

  /** Runs the command; the exit code. */
  static int run(Console console, String... args) {
    List<String> inputs = List.of(args).subList(2, args.length);
    try {
      return RunCommand.plain(console, Path.of(args[1]), inputs).call();
    } catch (RuntimeException e) {
      return new FailureReport(console).report(e, false);
    }
  }
}
