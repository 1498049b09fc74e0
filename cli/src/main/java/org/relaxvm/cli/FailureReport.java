package org.relaxvm.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.JsonText;
import picocli.CommandLine;

/**
 * Turns a failure into one message on stderr and an exit code; with {@code --json} also into an
 * object on stdout. {@code RELAXVM_DEBUG=1} adds the stack trace.
 */
final class FailureReport implements CommandLine.IExecutionExceptionHandler {
  private final Console console;

  FailureReport(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
    boolean ours = failure instanceof RelaxException;
    ErrorKind kind = failure instanceof RelaxException relax ? relax.kind() : ErrorKind.INTERNAL;
    String message =
        ours
            ? String.valueOf(failure.getMessage())
            : "unexpected "
                + failure
                + "\n  this is a defect of RelaxVM; please report it with the"
                + " command line (RELAXVM_DEBUG=1 prints where it arose)";
    if (parsed.expandedArgs().contains("--json")) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("kind", kind.text());
      error.put("message", message);
      console.out().println(JsonText.of(Map.of("error", error)));
    }
    console
        .err()
        .println(
            console.styled(Console.Style.BAD, "relaxvm: error: ") + kind.text() + ": " + message);
    if ("1".equals(System.getenv("RELAXVM_DEBUG"))) {
      failure.printStackTrace(console.err());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  static int reportUsage(CommandLine.ParameterException failure, String[] args) {
    CommandLine commandLine = failure.getCommandLine();
    String name = commandLine.getCommandSpec().qualifiedName();
    commandLine.getErr().println("relaxvm: error: " + failure.getMessage());
    commandLine.getErr().println("  '" + name + " --help' lists what it takes");
    return CommandLine.ExitCode.USAGE;
  }
}
