package org.relaxvm.integrationtests.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the launcher builds, and what it does when it cannot. */
class LauncherBuildTest {
  private static final String FIRST = "relaxvm: building (first run takes about a minute) ...\n";
  private static final String AGAIN = "relaxvm: building what changed ...\n";
  private static final String WAITING = "relaxvm: waiting for another build to end ...";

  @TempDir Path folder;
  private FakeTree tree;

  @BeforeEach
  void makeTree() throws Exception {
    tree = new FakeTree(folder).withJdk("jdk", "25.0.1");
  }

  @Test
  void buildsOnceAndThenNotAgain() throws Exception {
    assertThat(tree.run("doctor").err()).isEqualTo(FIRST);
    assertThat(tree.run("doctor").err()).isEmpty();
    assertThat(tree.mavenCalls())
        .containsExactly(
            "-B -ntp -f "
                + tree.root
                + "/pom.xml -Dquick -Dmaven.test.skip=true -pl cli -am package");
  }

  @Test
  void buildsAgainAfterASourceChanged() throws Exception {
    tree.run("doctor");
    Files.setLastModifiedTime(
        tree.root.resolve("api/src/main/java/A.java"),
        FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(tree.run("doctor").err()).isEqualTo(AGAIN);
  }

  @Test
  void buildsAgainAfterASourceWasDeleted() throws Exception {
    tree.run("doctor");
    Files.delete(tree.root.resolve("api/src/main/java/A.java"));
    assertThat(tree.run("doctor").err()).isEqualTo(AGAIN);
    assertThat(tree.run("doctor").err()).isEmpty();
  }

  @Test
  void testsExamplesAndPluginsAreNoReasonToBuild() throws Exception {
    tree.run("doctor");
    tree.write("api/src/test/java/OtherTest.java");
    tree.write("examples/digits/src/main/java/Trainer.java");
    tree.write("plugins/new.jar");
    assertThat(tree.run("doctor").err()).isEmpty();
  }

  @Test
  void mavenGetsTheExtraArguments() throws Exception {
    tree.withEnvironment("RELAXVM_MAVEN_ARGS", "-o -Dmaven.repo.local=/some/where").run("doctor");
    assertThat(tree.mavenCalls().getFirst()).endsWith(" package -o -Dmaven.repo.local=/some/where");
  }

  @Test
  void aFailedBuildShowsItsErrorsAndWhereTheRestIs() throws Exception {
    tree.withEnvironment(
        "FAKE_FAILURE",
        """
        [INFO] Building
        [ERROR] A.java:[3,1] ';' expected
        [ERROR] Failed to execute goal compile: Compilation failure
        [ERROR]
        [ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\
        """);
    LauncherRun run = tree.run("doctor");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            FIRST
                + """
                relaxvm: the build failed:
                [ERROR] A.java:[3,1] ';' expected
                [ERROR] Failed to execute goal compile: Compilation failure
                relaxvm: the whole build log is %s/target/launcher/build.log
                """
                    .formatted(tree.root));
  }

  @Test
  void aFailedBuildIsTriedAgain() throws Exception {
    tree.withEnvironment("FAKE_FAILURE", "no network").run("doctor");
    LauncherRun run = tree.withEnvironment("FAKE_FAILURE", "").run("doctor");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEqualTo(FIRST);
  }

  @Test
  void anInstalledDistributionIsNotBuilt() throws Exception {
    Files.delete(tree.root.resolve("pom.xml"));
    tree.write("lib/relaxvm-cli.jar");
    LauncherRun run = tree.run("doctor");
    assertThat(run.err()).isEmpty();
    assertThat(run.classPath()).isEqualTo(tree.root + "/lib/relaxvm-cli.jar");
    assertThat(tree.mavenCalls()).isEmpty();
  }

  @Test
  void twoAtOnceBuildOnceWithFileLocks() throws Exception {
    tree.withTool("flock");
    secondWaitsForTheFirst();
  }

  @Test
  void twoAtOnceBuildOnceWithoutFileLocks() throws Exception {
    secondWaitsForTheFirst();
  }

  @Test
  void theLockOfADeadProcessIsTakenOver() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Files.writeString(tree.write("target/launcher/lock.d/pid"), dead.pid() + "\n");
    assertThat(tree.run("doctor").err()).isEqualTo(FIRST);
  }

  /** Maven of the first launcher waits at a named pipe until the second has said that it waits. */
  private void secondWaitsForTheFirst() throws Exception {
    Path gate = folder.resolve("gate");
    new ProcessBuilder("mkfifo", gate.toString()).start().waitFor();
    tree.withEnvironment("FAKE_GATE", gate.toString());
    Process first = tree.start(tree.root, tree.root.resolve("relaxvm"), "first");
    try (BufferedReader lines = first.errorReader(UTF_8)) {
      assertThat(lines.readLine() + "\n").isEqualTo(FIRST);
      Process second = tree.start(tree.root, tree.root.resolve("relaxvm"), "second");
      try (BufferedReader secondLines = second.errorReader(UTF_8)) {
        assertThat(secondLines.readLine()).isEqualTo(WAITING);
        Files.writeString(gate, "go\n");
        assertThat(secondLines.readLine()).isNull();
        assertThat(second.waitFor()).isZero();
      }
      assertThat(lines.readLine()).isNull();
      assertThat(first.waitFor()).isZero();
    }
    assertThat(tree.mavenCalls()).hasSize(1);
  }
}
