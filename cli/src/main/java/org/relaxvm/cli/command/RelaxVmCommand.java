package org.relaxvm.cli.command;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command without a subcommand: help and version. */
@Command(
    name = "relaxvm",
    description = "Runs compiled tensor programs on the JVM.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 failed (one message says why), 2 wrong command line.",
      "Environment: RELAXVM_JAVA_HOME the JDK to use, RELAXVM_JAVA_OPTS JVM options,",
      "  RELAXVM_DEBUG=1 stack traces, NO_COLOR no color."
    })
public final class RelaxVmCommand {
  @Option(
      names = "--plugins",
      paramLabel = "DIR",
      description = "Add the jars in DIR to the class path (read by the launcher).")
  @Nullable List<String> pluginFolders;
}
