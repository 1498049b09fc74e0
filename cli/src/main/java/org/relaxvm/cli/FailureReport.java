package org.relaxvm.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final String REPORT =
      "report this fault of RelaxVM with the command line (RELAXVM_DEBUG=1 prints the stack trace)";

  private final Console console;

  FailureReport(Console console) {
    this.console = console;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
    return report(failure, parsed.expandedArgs().contains("--json"));
  }

  /**
   * Reports a failure; the exit code.
   *
   * @param json whether results are printed as JSON
   */
  int report(Exception failure, boolean json) {
    Optional<RelaxException> relax =
        failure instanceof RelaxException known ? Optional.of(known) : Optional.empty();
    boolean isInternal = relax.map(RelaxException::isInternal).orElse(true);
    String message =
        relax.isPresent()
            ? String.valueOf(failure.getMessage())
            : "unexpected " + failure + "\n  what to do: " + REPORT;
    if (json) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("kind", relax.map(RelaxException::kind).orElse(ErrorKind.INTERNAL).text());
      error.put("internal", isInternal);
      error.put("message", message);
      relax.flatMap(RelaxException::tvmMessage).ifPresent(text -> error.put("tvm_message", text));
      relax.flatMap(RelaxException::remedy).ifPresent(text -> error.put("remedy", text));
      console.out().println(JsonText.of(Map.of("error", error)));
    }
    console
        .err()
        .println(
            console.styled(
                    Console.Style.BAD,
                    isInternal ? "relaxvm: internal error: " : "relaxvm: error: ")
                + message);
    if ("1".equals(System.getenv("RELAXVM_DEBUG"))) {
      failure.printStackTrace(console.err());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String usageMessage(CommandLine.ParameterException failure) {
    Set<String> commands = failure.getCommandLine().getSubcommands().keySet();
    return failure instanceof CommandLine.UnmatchedArgumentException unmatched
            && !commands.isEmpty()
            && !unmatched.isUnknownOption()
        ? "no command '"
            + unmatched.getUnmatched().getFirst()
            + "'\n  the commands are: "
            + String.join(", ", commands)
        : String.valueOf(failure.getMessage());
  }

  static int reportUsage(CommandLine.ParameterException failure, String[] args) {
    CommandLine commandLine = failure.getCommandLine();
    String name = commandLine.getCommandSpec().qualifiedName();
    commandLine.getErr().println("relaxvm: error: " + usageMessage(failure));
    commandLine.getErr().println("  '" + name + " --help' lists what it takes");
    return CommandLine.ExitCode.USAGE;
  }
}
