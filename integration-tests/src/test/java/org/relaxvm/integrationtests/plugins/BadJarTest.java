package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.registry.Diagnosis;

/** Whatever is wrong with a jar is said in one message, and the good jar beside it works. */
class BadJarTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void oneBadJarIsNamedOnceAndTheGoodOneBesideItWorks(BadJar bad) throws Exception {
    Path jar = bad.in(folder);
    try (PluginPath plugins = PluginPath.of(jar, GoodPlugin.in(folder))) {
      plugins.requireGoodPluginToWork();
      assertThat(plugins.faults()).containsExactly(bad.messageFor(jar));
    }
  }

  @Test
  void allBadJarsAtOnceAreNamedOnceEachAndTheGoodOneAmongThemWorks() throws Exception {
    List<Path> jars = new ArrayList<>();
    List<String> messages = new ArrayList<>();
    for (BadJar bad : BadJar.values()) {
      Path jar = bad.in(folder);
      jars.add(jar);
      messages.add(bad.messageFor(jar));
    }
    jars.add(jars.size() / 2, GoodPlugin.in(folder));
    try (PluginPath plugins = PluginPath.of(jars.toArray(Path[]::new))) {
      plugins.requireGoodPluginToWork();
      assertThat(plugins.faults()).containsExactlyInAnyOrderElementsOf(messages);
    }
  }

  @Test
  void aJarThatTheUserMayNotReadIsNamed() throws Exception {
    Path jar = new ProviderSource("locked").jar().build(folder.resolve("locked.jar"));
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(jar), "this user (root?) may read every file");
    try (PluginPath plugins = PluginPath.of(jar, GoodPlugin.in(folder))) {
      plugins.requireGoodPluginToWork();
      assertThat(plugins.faults())
          .containsExactly(
              "locked.jar ("
                  + jar
                  + ") broken: this user may not read it; allow reading it (chmod +r), or remove"
                  + " it");
    }
  }

  @Test
  void aGoodJarIsFoundWithItsOrigin() throws Exception {
    Path jar = GoodPlugin.in(folder);
    try (PluginPath plugins = PluginPath.of(jar)) {
      assertThat(plugins.registry().diagnose())
          .filteredOn(found -> found.origin().equals(jar.toString()))
          .extracting(Diagnosis::toString)
          .containsExactly(
              "acme (" + jar + ") usable: always",
              "acme functions (" + jar + ") usable: 2 functions");
    }
  }
}
