package org.relaxvm.integrationtests.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.integrationtests.ProjectRoot;

/**
 * A source tree, a JDK and a Maven that are only scripts, so that a launcher test takes
 * milliseconds and does not depend on what the machine has. Maven leaves jars and one line per
 * call; Java prints what it was given.
 */
final class FakeTree {
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "cat",
          "cp",
          "dirname",
          "find",
          "grep",
          "head",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sleep",
          "tail",
          "touch");

  private static final String MAVEN =
      """
      #!/bin/sh
      echo "$*" >>"$FAKE_LOG"
      [ -z "${FAKE_GATE-}" ] || read -r line <"$FAKE_GATE"
      if [ -n "${FAKE_FAILURE-}" ]; then printf '%s\\n' "$FAKE_FAILURE"; exit 1; fi
      while [ "$1" != -f ]; do shift; done
      target=$(dirname -- "$2")/cli/target/quick
      mkdir -p "$target/lib"
      touch "$target/relaxvm-cli.jar" "$target/lib/relaxvm-api.jar"
      """;

  private static final String JAVA =
      """
      #!/bin/sh
      echo "folder: $(pwd -P)"
      for argument in "$@"; do
        echo "argument: $argument"
        case $argument in
          -XX:AOTCacheOutput=*) touch "${argument#*=}"; [ -z "${FAKE_CACHE_FAILURE-}" ] || exit 1 ;;
        esac
      done
      """;

  final Path root;
  final Path jdks;
  private final Path bin;
  private final Path log;
  private final Map<String, String> environment = new HashMap<>();

  /** A tree below {@code folder}, in folders with spaces in their names. */
  FakeTree(Path folder) throws IOException {
    Path base = folder.toRealPath();
    root = Files.createDirectories(base.resolve("the tree"));
    jdks = Files.createDirectories(base.resolve("some jdks"));
    bin = Files.createDirectories(base.resolve("bin"));
    log = base.resolve("maven.log");
    script(root.resolve("relaxvm"), Files.readString(ProjectRoot.path().resolve("relaxvm")));
    Files.writeString(root.resolve("pom.xml"), "");
    write("api/src/main/java/A.java");
    write("api/src/test/java/ATest.java");
    for (String tool : TOOLS) {
      offer(tool);
    }
    script(bin.resolve("mvn"), MAVEN);
    environment.put("PATH", bin.toString());
    environment.put("FAKE_LOG", log.toString());
    environment.put("RELAXVM_JDK_FOLDERS", jdks.toString());
  }

  FakeTree withJdk(String name, String version) throws IOException {
    Path home = jdks.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    script(home.resolve("bin/java"), JAVA);
    script(home.resolve("bin/javac"), JAVA);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return this;
  }

  FakeTree withTool(String name) throws IOException {
    offer(name);
    return this;
  }

  FakeTree withEnvironment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Writes an empty source file and returns it. */
  Path write(String file) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, "");
  }

  /** Adds the program and picture that a start-up cache is made with. */
  FakeTree withSample() throws IOException {
    write("examples/digits/digits.rvm");
    write("examples/digits/samples/seven.png");
    return this;
  }

  /** The arguments of each call of Maven so far. */
  List<String> mavenCalls() throws IOException {
    return Files.exists(log) ? Files.readAllLines(log) : List.of();
  }

  LauncherRun run(String... arguments) throws IOException, InterruptedException {
    return runFrom(root, root.resolve("relaxvm"), arguments);
  }

  LauncherRun runFrom(Path folder, Path script, String... arguments)
      throws IOException, InterruptedException {
    return LauncherRun.finish(start(folder, script, arguments));
  }

  Process start(Path folder, Path script, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  private void offer(String tool) throws IOException {
    for (String folder : List.of("/bin", "/usr/bin")) {
      Path original = Path.of(folder, tool);
      if (Files.exists(original)) {
        script(bin.resolve(tool), "#!/bin/sh\nexec " + original + " \"$@\"\n");
        return;
      }
    }
    throw new IOException("this machine has no " + tool);
  }

  private static void script(Path path, String text) throws IOException {
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
