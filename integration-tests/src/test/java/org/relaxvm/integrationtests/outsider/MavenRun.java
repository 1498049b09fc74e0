package org.relaxvm.integrationtests.outsider;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.integrationtests.process.ProcessRun;

/** Maven as the outsider runs it: the one that runs this build, on the same JDK, or one on PATH. */
final class MavenRun {
  private MavenRun() {}

  /** The repository that this build takes other people's artifacts from. */
  static Path buildRepository() {
    return Path.of(
        System.getProperty(
            "relaxvm.maven.repository", System.getProperty("user.home") + "/.m2/repository"));
  }

  /** The command, when there is one. */
  static Optional<Path> command() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Stream.of(System.getProperty("relaxvm.maven.home", "")).map(home -> home + "/bin"),
            Arrays.stream(path.split(File.pathSeparator)))
        .map(folder -> Path.of(folder, "mvn"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Builds the project in a folder, with tests. */
  static ProcessRun verify(Path command, Path project, Path repository)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(command.toString(), "-B", "-ntp"));
    if (System.getProperty("relaxvm.maven.mode", "").equals("offline true")) {
      words.add("-o");
    }
    words.add("-Dmaven.repo.local=" + repository);
    // What lies in the repository is taken, wherever the outer build had it from.
    words.add("-Dmaven.legacyLocalRepo=true");
    words.add("verify");
    ProcessBuilder builder = new ProcessBuilder(words).directory(project.toFile());
    String javaHome = System.getProperty("relaxvm.maven.java.home");
    if (javaHome != null) {
      builder.environment().put("JAVA_HOME", javaHome);
    }
    return ProcessRun.of(builder);
  }
}
