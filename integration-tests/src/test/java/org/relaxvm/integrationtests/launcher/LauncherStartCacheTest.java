package org.relaxvm.integrationtests.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start-up cache: made by a build, used by every later start, never a reason to fail. */
class LauncherStartCacheTest {
  @TempDir Path folder;
  private FakeTree tree;

  @BeforeEach
  void makeTree() throws Exception {
    tree = new FakeTree(folder).withJdk("jdk", "25.0.1").withSample();
  }

  private Path lib() {
    return tree.root.resolve("target/launcher/lib");
  }

  @Test
  void aBuildMakesTheCacheByRunningTheExample() throws Exception {
    tree.run("doctor");
    assertThat(lib()).isDirectoryContaining(file -> file.endsWith("start.aot"));
    assertThat(Files.readString(tree.root.resolve("target/launcher/build.log")))
        .contains(
            """
            argument: -XX:AOTCacheOutput=%1$s/new.aot
            argument: -cp
            argument: %1$s/relaxvm-api.jar:%1$s/relaxvm-cli.jar
            argument: org.relaxvm.cli.Main
            argument: run
            argument: %2$s/digits.rvm
            argument: %2$s/samples/seven.png
            """
                .formatted(lib(), tree.root.resolve("examples/digits")));
  }

  @Test
  void everyStartUsesTheCacheAndTheUsersFlagsComeAfterIt() throws Exception {
    tree.write("plugins/bundled.jar");
    LauncherRun run = tree.withEnvironment("RELAXVM_JAVA_OPTS", "-XX:AOTMode=off").run("doctor");
    assertThat(run.javaArguments())
        .containsSubsequence(
            "-Xlog:aot*=off",
            "-Xlog:cds*=off",
            "-XX:AOTCache=" + lib() + "/start.aot",
            "-XX:AOTMode=off",
            "-cp",
            lib()
                + "/relaxvm-api.jar:"
                + lib()
                + "/relaxvm-cli.jar:"
                + tree.root
                + "/plugins/bundled.jar");
  }

  @Test
  void aCacheThatCannotBeMadeIsDoneWithout() throws Exception {
    LauncherRun run = tree.withEnvironment("FAKE_CACHE_FAILURE", "yes").run("doctor");
    assertThat(run.status()).isZero();
    assertThat(run.err()).hasLineCount(1).startsWith("relaxvm: building");
    assertThat(run.javaArguments()).noneMatch(argument -> argument.contains("aot"));
    assertThat(lib()).isDirectoryNotContaining(file -> file.toString().endsWith(".aot"));
  }

  @Test
  void aTreeWithoutTheExampleHasNoCache() throws Exception {
    Files.delete(tree.root.resolve("examples/digits/digits.rvm"));
    assertThat(tree.run("doctor").javaArguments()).noneMatch(argument -> argument.contains("aot"));
  }
}
