package org.relaxvm.integrationtests.plugins;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.integrationtests.process.ProcessRun;

/** The command in a JVM of its own, with plugins on its class path or module path. */
final class CommandInJvm {
  private static final String MAIN = "org.relaxvm.cli.Main";
  // A start takes less without the second compiler.
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1";

  private CommandInJvm() {}

  /** RelaxVM and plugins on the class path. */
  static ProcessRun onClassPath(List<Path> plugins, List<String> flags, Object... arguments)
      throws IOException, InterruptedException {
    return ChildJvm.run(withQuickStart(flags), ChildJvm.command(plugins), arguments);
  }

  /** RelaxVM and plugins on the module path. */
  static ProcessRun onModulePath(List<Path> plugins, List<String> flags, Object... arguments)
      throws IOException, InterruptedException {
    return ChildJvm.run(
        withQuickStart(flags),
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

  private static List<String> withQuickStart(List<String> flags) {
    return Stream.concat(Stream.of(QUICK_START), flags.stream()).toList();
  }
}
