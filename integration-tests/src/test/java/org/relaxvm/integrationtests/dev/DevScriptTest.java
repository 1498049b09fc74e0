package org.relaxvm.integrationtests.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.process.ProcessRun;

/**
 * What {@code ./dev} finds changed, and what it asks Maven and the formatter for. Both are scripts
 * that keep their arguments; the repository has two modules, of which {@code users} has tests of
 * {@code base}.
 */
class DevScriptTest {
  private static final String VERSION = "1.0";
  private static final String LOG =
      """
      #!/bin/sh
      echo "$(basename "$0") $*" >>"$FAKE_LOG"
      """;

  @TempDir Path folder;
  private Path root;
  private Path log;

  @BeforeEach
  void makeRepository() throws Exception {
    root = Files.createDirectories(folder.toRealPath().resolve("the tree"));
    log = folder.toRealPath().resolve("log");
    Files.writeString(log, "");
    script(root.resolve("dev"), Files.readString(ProjectRoot.path().resolve("dev")));
    script(folder.resolve("bin/mvn"), LOG);
    script(folder.resolve("jdk/bin/javac"), LOG);
    // The formatter names the files that it would change.
    script(
        folder.resolve("jdk/bin/java"),
        LOG
            + """
            for argument in "$@"; do
              case $argument in *Bad.java) echo "$argument" ;; esac
            done
            """);
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    write(
        "pom.xml",
        "<module>base</module>\n<module>users</module>\n<google-java-format.version>%s</google-java-format.version>\n"
            .formatted(VERSION));
    write("base/pom.xml", "<parent>\n</parent>\n<artifactId>a-base</artifactId>\n");
    write(
        "users/pom.xml",
        "<parent>\n</parent>\n<artifactId>a-users</artifactId>\n<artifactId>a-base</artifactId>\n");
    write(".gitignore", "target/\n");
    write("target/dev/google-java-format-" + VERSION + "-all-deps.jar", "");
    write("base/src/main/java/org/base/Type.java", "class Type {}\n");
    write("base/src/main/java/org/base/Other.java", "class Other {}\n");
    write("base/src/test/java/org/base/TypeTest.java", "class TypeTest {}\n");
    write("base/src/test/java/org/base/OtherTest.java", "class OtherTest {}\n");
    write("users/src/test/java/org/users/FastTest.java", "import org.base.Type;\n");
    write("users/src/test/java/org/users/SlowTest.java", "import static org.base.Type.VALUE;\n");
    write("users/src/test/java/org/users/UnrelatedTest.java", "import org.base.Typewriter;\n");
    report("users", "org.users.FastTest", "0.4");
    report("users", "org.users.SlowTest", "1,070.5");
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
  }

  @Test
  void checkRunsTestsOfTheChangedModuleAndFastTestsThatImportTheChangedType() throws Exception {
    write("base/src/main/java/org/base/Type.java", "class Type { }\n");
    ProcessRun run = dev("check");
    assertThat(run.err())
        .isEqualTo(
            "check: left out for time: 1 test classes of other modules that import changed"
                + " types\n");
    assertThat(run.out())
        .isEqualTo(
            """
            check: 1 Java files are formatted
            check: changed modules: base
            check: 3 test classes, of them in other modules: 1
            check: passed
            """);
    assertThat(calls("mvn"))
        .containsExactly(
            "-B -ntp -q -pl base,users -am"
                + " -Dtest=org.base.OtherTest,org.base.TypeTest,org.users.FastTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false verify");
  }

  @Test
  void aNewFileIsChanged() throws Exception {
    write("users/src/test/java/org/users/NewTest.java", "class NewTest {}\n");
    assertThat(dev("check").out())
        .contains("changed modules: users\n", "4 test classes, of them in other modules: 0\n");
  }

  @Test
  void aFailedBuildFailsTheCheck() throws Exception {
    script(folder.resolve("bin/mvn"), "#!/bin/sh\nexit 1\n");
    write("base/src/main/java/org/base/Type.java", "class Type { }\n");
    ProcessRun run = dev("check");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).doesNotContain("passed");
  }

  @Test
  void nothingIsRunWhereNoModuleIsChanged() throws Exception {
    write("README.md", "Read me.\n");
    assertThat(dev("check").requireOut()).isEqualTo("check: no module is changed\n");
    assertThat(calls("mvn")).isEmpty();
  }

  @Test
  void aFileThatIsNotFormattedStopsTheCheck() throws Exception {
    write("base/src/main/java/org/base/Bad.java", "class Bad { }\n");
    ProcessRun run = dev("check");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            """
            dev: these files are not formatted; ./dev format formats them:
            base/src/main/java/org/base/Bad.java
            """);
    assertThat(calls("mvn")).isEmpty();
  }

  @Test
  void formatReplacesChangedFilesOnly() throws Exception {
    write("base/src/main/java/org/base/Other.java", "class Other { }\n");
    assertThat(dev("format").requireOut()).isEqualTo("format: 1 files\n");
    assertThat(calls("java"))
        .singleElement()
        .asString()
        .endsWith(
            "-jar target/dev/google-java-format-%s-all-deps.jar --replace base/src/main/java/org/base/Other.java"
                .formatted(VERSION));
  }

  @Test
  void timesListsClassesAndSums() throws Exception {
    assertThat(dev("times", "1").requireOut())
        .isEqualTo(
            """
              seconds  module                   class
               1070.5  users                    org.users.SlowTest

              seconds  module                   classes
               1070.9  (all)                    2
               1070.9  users                    2
            """);
  }

  @Test
  void aCommitThatIsNotThereIsNamed() throws Exception {
    ProcessRun run = dev("check", "nowhere");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("dev: there is no commit 'nowhere'\n");
  }

  private ProcessRun dev(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(root.resolve("dev").toString()));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("FAKE_LOG", log.toString());
    builder.environment().put("RELAXVM_JAVA_HOME", folder.resolve("jdk").toString());
    builder
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    builder.environment().remove("RELAXVM_CHECK_SECONDS");
    return ProcessRun.of(builder);
  }

  /** The arguments of each call of a tool. */
  private List<String> calls(String tool) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith(tool + " "))
        .map(line -> line.substring(tool.length() + 1))
        .toList();
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(Arrays.asList(arguments));
    ProcessRun.of(new ProcessBuilder(command).directory(root.toFile())).requireOut();
  }

  private void report(String module, String test, String seconds) throws IOException {
    write(
        module + "/target/surefire-reports/TEST-" + test + ".xml",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite version="3.0.2" name="%s" time="%s" tests="1">
          <testcase name="first" classname="%s" time="0.1"/>
        </testsuite>
        """
            .formatted(test, seconds, test));
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    Files.writeString(path, text);
  }

  private static void script(Path path, String text) throws IOException {
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
