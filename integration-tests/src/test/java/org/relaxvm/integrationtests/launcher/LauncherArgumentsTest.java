package org.relaxvm.integrationtests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What reaches Java: the class path, the plugins, the user's arguments and folder. */
class LauncherArgumentsTest {
  @TempDir Path folder;
  private FakeTree tree;

  @BeforeEach
  void makeTree() throws Exception {
    tree = new FakeTree(folder).withJdk("jdk", "25.0.1");
  }

  @Test
  void argumentsArriveUnchanged() throws Exception {
    assertThat(tree.run("run", "a file.rvm", "", "*", "--plug", "$HOME").programArguments())
        .containsExactly("run", "a file.rvm", "", "*", "--plug", "$HOME");
  }

  @Test
  void jvmFlagsComeBeforeTheMainClass() throws Exception {
    LauncherRun run = tree.withEnvironment("RELAXVM_JAVA_OPTS", "-Xmx1g -Dx=y").run();
    assertThat(run.javaArguments())
        .containsExactly(
            "--add-modules",
            "jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=deny",
            "-Djava.awt.headless=true",
            "-Xmx1g",
            "-Dx=y",
            "-Drelaxvm.plugins=",
            "-cp",
            run.classPath(),
            "org.relaxvm.cli.Main");
  }

  @Test
  void classPathIsACopyOfTheBuiltJars() throws Exception {
    String lib = tree.root + "/target/launcher/lib/";
    assertThat(tree.run().classPath())
        .isEqualTo(lib + "relaxvm-api.jar:" + lib + "relaxvm-cli.jar");
  }

  @Test
  void pluginsAreTakenOutAndPutOnTheClassPath() throws Exception {
    tree.write("plugins/bundled.jar");
    tree.write("my plugins/one.jar");
    tree.write("my plugins/notes.txt");
    tree.write("other/two.jar");
    LauncherRun run = tree.run("--plugins", "my plugins", "doctor", "--plugins=other", "--json");
    assertThat(run.programArguments()).containsExactly("doctor", "--json");
    assertThat(run.classPath())
        .endsWith(":" + tree.root + "/plugins/bundled.jar:my plugins/one.jar:other/two.jar");
    assertThat(run.javaArguments())
        .contains("-Drelaxvm.plugins=" + tree.root + "/plugins:my plugins:other");
  }

  @Test
  void whateverIsNamedAsAJarReachesTheClassPathSoThatItsFaultIsTold() throws Exception {
    Path plugins = Files.createDirectories(tree.root.resolve("plugins"));
    Files.createDirectory(plugins.resolve("a.jar"));
    Files.createSymbolicLink(plugins.resolve("b.jar"), Path.of("/nowhere/b.jar"));
    Files.createFile(plugins.resolve("c.jar"));
    assertThat(tree.run("doctor").classPath())
        .endsWith(":" + plugins + "/a.jar:" + plugins + "/b.jar:" + plugins + "/c.jar");
  }

  @Test
  void argumentsAfterTwoDashesAreNotTheLaunchers() throws Exception {
    assertThat(tree.run("run", "--", "--plugins", "x").programArguments())
        .containsExactly("run", "--", "--plugins", "x");
  }

  @Test
  void aMissingPluginFolderIsRefused() throws Exception {
    LauncherRun run = tree.run("doctor", "--plugins", "no such");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            "relaxvm: the plugin folder 'no such' does not exist. --plugins takes a folder with"
                + " jars; every jar in it goes on the class path.\n");
  }

  @Test
  void pluginsWithoutAFolderIsRefused() throws Exception {
    LauncherRun run = tree.run("doctor", "--plugins");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("relaxvm: --plugins needs a folder with jars after it.\n");
  }

  @Test
  void worksThroughSymlinksAndKeepsTheCallersFolder() throws Exception {
    Path elsewhere = Files.createDirectories(folder.toRealPath().resolve("else where"));
    Path link = Files.createSymbolicLink(elsewhere.resolve("rvm"), tree.root.resolve("relaxvm"));
    Path relative = Files.createSymbolicLink(elsewhere.resolve("rvm2"), Path.of("rvm"));
    for (Path script : new Path[] {link, relative}) {
      LauncherRun run = tree.runFrom(elsewhere, script, "run", "here.rvm");
      assertThat(run.out()).startsWith("folder: " + elsewhere + "\n");
      assertThat(run.classPath()).startsWith(tree.root + "/target/launcher/lib/");
    }
  }
}
