package org.relaxvm.integrationtests.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.relaxvm.integrationtests.OurModules;

/**
 * A JVM with flags of its own. Unless a flag says otherwise, kernels are portable Java there, so
 * that nothing is said of vectors.
 */
public final class ChildJvm {
  private ChildJvm() {}

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
