package org.relaxvm.integrationtests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which JDK the launcher takes, and what it says when there is none. */
class LauncherJdkTest {
  @TempDir Path folder;

  @Test
  void namesEverythingSearchedWhenNoJdkFits() throws Exception {
    FakeTree tree = new FakeTree(folder).withJdk("old", "17.0.15");
    LauncherRun run = tree.run("doctor");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            """
            relaxvm: no JDK 25 or newer was found. Searched:
              %1$s: %1$s/old is Java 17
              %1$s: nothing that fits
            Install one (for example from https://adoptium.net) or name it in RELAXVM_JAVA_HOME.
            """
                .formatted(tree.jdks));
  }

  @Test
  void takesTheFirstJdkThatIsNewEnough() throws Exception {
    FakeTree tree =
        new FakeTree(folder).withJdk("a", "21.0.2").withJdk("b", "26").withJdk("c", "8");
    assertThat(tree.run("doctor").programArguments()).containsExactly("doctor");
  }

  @Test
  void javaHomeComesBeforeTheUsualFolders() throws Exception {
    FakeTree tree = new FakeTree(folder).withJdk("chosen", "25.0.1");
    tree.withEnvironment("JAVA_HOME", tree.jdks.resolve("chosen").toString())
        .withEnvironment("RELAXVM_JDK_FOLDERS", "/nowhere");
    assertThat(tree.run("doctor").status()).isZero();
  }

  @Test
  void anOldJavaHomeIsPassedOver() throws Exception {
    FakeTree tree = new FakeTree(folder).withJdk("old", "17").withJdk("good", "25.0.1");
    tree.withEnvironment("JAVA_HOME", tree.jdks.resolve("old").toString());
    assertThat(tree.run("doctor").status()).isZero();
  }

  @Test
  void anExplicitlyNamedJdkIsNeverReplacedInSilence() throws Exception {
    FakeTree tree = new FakeTree(folder).withJdk("old", "17").withJdk("good", "25.0.1");
    Path old = tree.jdks.resolve("old");
    LauncherRun run = tree.withEnvironment("RELAXVM_JAVA_HOME", old.toString()).run("doctor");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            """
            relaxvm: RELAXVM_JAVA_HOME does not name a JDK 25 or newer:
              RELAXVM_JAVA_HOME: %s is Java 17
            Correct the variable, or unset it to have a JDK looked for.
            """
                .formatted(old));
  }
}
