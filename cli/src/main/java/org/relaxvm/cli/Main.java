package org.relaxvm.cli;

import java.util.List;
import org.relaxvm.cli.output.Console;
import picocli.CommandLine;

/**
 * The {@code relaxvm} command.
 *
 * <p>Exit codes: 0 the work is done; 1 it failed, with one message that says why; 2 the command
 * line is wrong.
 */
public final class Main {
  private Main() {}

  /** Runs the command and ends the process. */
  public static void main(String[] args) {
    System.exit(run(Console.system(), args));
  }

  /** Runs the command and returns its exit code. */
  public static int run(Console console, String... args) {
    int code = PlainRun.takes(args) ? PlainRun.run(console, args) : parseAndRun(console, args);
    console.out().flush();
    console.err().flush();
    return code;
  }

  private static int parseAndRun(Console console, String... args) {
    CommandLine commandLine = Commands.of(console, List.of(args));
    commandLine
        .setOut(console.out())
        .setErr(console.err())
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(
                console.terminal() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
        .setExecutionExceptionHandler(new FailureReport(console))
        .setParameterExceptionHandler(FailureReport::reportUsage)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
    return args.length == 0 ? help(commandLine, console) : commandLine.execute(args);
  }

  private static int help(CommandLine commandLine, Console console) {
    commandLine.usage(console.err());
    return CommandLine.ExitCode.USAGE;
  }
}
