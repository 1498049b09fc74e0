package org.relaxvm.integrationtests.process;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.ProjectRoot;

/**
 * A JVM with flags of its own. Unless a flag says otherwise, kernels are portable Java there, so
 * that nothing is said of vectors.
 */
public final class ChildJvm {
  /** The main class of the command. */
  static final String COMMAND = "org.relaxvm.cli.Main";

  private ChildJvm() {}

  /**
   * The arguments that run the command on the jars of this build, with a cache that shortens the
   * start.
   *
   * @param more jars that follow them on the class path
   */
  public static List<String> command(List<Path> more) throws IOException, InterruptedException {
    List<Path> jars =
        OurModules.classPath().stream().filter(entry -> entry.toString().endsWith(".jar")).toList();
    List<Path> all = new ArrayList<>(OurModules.classPath());
    List<String> arguments = new ArrayList<>();
    // Folders instead of jars are what an IDE builds; there is no cache for them.
    if (jars.stream().anyMatch(jar -> jar.startsWith(ProjectRoot.path().resolve("cli")))) {
      arguments.addAll(StartCache.flags(jars));
      all = new ArrayList<>(jars);
    }
    all.addAll(more);
    arguments.add("-cp");
    arguments.add(all.stream().map(Path::toString).collect(joining(File.pathSeparator)));
    arguments.add(COMMAND);
    return arguments;
  }

  /** The arguments that run a class on the class path of the tests. */
  public static List<String> main(Class<?> main) {
    return main(main.getName());
  }

  /** The arguments that run a class, by name, on the class path of the tests. */
  public static List<String> main(String main) {
    return List.of("-cp", OurModules.classPathText(), main);
  }

  /**
   * Runs to the end.
   *
   * @param flags for the JVM
   * @param main what it is to run, and where that is found
   */
  public static ProcessRun run(List<String> flags, List<String> main, Object... arguments)
      throws IOException, InterruptedException {
    return run(Map.of(), flags, main, arguments);
  }

  /** As {@link #run(List, List, Object...)}, with variables of the environment beside our own. */
  public static ProcessRun run(
      Map<String, String> environment, List<String> flags, List<String> main, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Drelaxvm.cpu.vectors=off");
    command.addAll(flags);
    command.addAll(main);
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return ProcessRun.of(builder);
  }
}
