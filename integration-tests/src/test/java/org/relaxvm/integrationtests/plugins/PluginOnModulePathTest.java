package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ProcessRun;

/** Plugins on the module path and beside it, each in a JVM of its own. */
class PluginOnModulePathTest {
  private static final String MODULE = "module %s { requires org.relaxvm.api; %s }";
  private static final String PROVIDES =
      "provides org.relaxvm.api.spi.BackendProvider with %s.Provider;";
  private static final List<String> NATIVE =
      List.of("--enable-native-access=" + OurModules.NATIVE + ",ALL-UNNAMED");

  @TempDir Path folder;

  @Test
  void onTheModulePathModuleInfoCountsAndServiceFilesOfAutomaticModules() throws Exception {
    Path explicit =
        new ProviderSource("explicit")
            .unlistedJar()
            .source(
                "module-info.java", MODULE.formatted("explicit", PROVIDES.formatted("explicit")))
            .build(folder.resolve("explicit.jar"));
    Path automatic = new ProviderSource("automatic").jar().build(folder.resolve("automatic.jar"));
    Path silent =
        new ProviderSource("silent")
            .jar()
            .source("module-info.java", MODULE.formatted("silent", ""))
            .build(folder.resolve("silent.jar"));
    ProcessRun jvm =
        CommandInJvm.onModulePath(List.of(explicit, automatic, silent), NATIVE, "doctor", "--json");
    assertThat(jvm.err()).isEmpty();
    assertThat(states(jvm))
        .contains(
            "usable explicit " + explicit,
            "usable automatic " + automatic,
            "broken silent.jar " + silent)
        .noneMatch(line -> line.startsWith("usable silent"));
    assertThat(jvm.out())
        .contains(
            "META-INF/services lists org.relaxvm.api.spi.BackendProvider, but its module-info does"
                + " not provide it, and on the module path only that counts",
            "put the jar on the class path, or use a version of it whose module-info says 'provides"
                + " org.relaxvm.api.spi.BackendProvider with ...'");
  }

  @Test
  void aPluginOnTheClassPathIsFoundByARelaxVmOnTheModulePath() throws Exception {
    Path listed = new ProviderSource("listed").jar().build(folder.resolve("listed.jar"));
    Path unlisted =
        new ProviderSource("unlisted")
            .unlistedJar()
            .source(
                "module-info.java", MODULE.formatted("unlisted", PROVIDES.formatted("unlisted")))
            .build(folder.resolve("unlisted.jar"));
    List<String> flags =
        List.of(NATIVE.getFirst(), "-cp", CommandInJvm.path("", List.of(listed, unlisted)));
    ProcessRun jvm = CommandInJvm.onModulePath(List.of(), flags, "doctor", "--json");
    assertThat(jvm.err()).isEmpty();
    assertThat(states(jvm))
        .contains("usable listed " + listed, "broken unlisted.jar " + unlisted, "usable cpu")
        .noneMatch(line -> line.startsWith("usable unlisted"));
    assertThat(jvm.out())
        .contains(
            "its module-info provides org.relaxvm.api.spi.BackendProvider, but META-INF/services"
                + " does not list it, and on the class path only that counts",
            "put the jar on the module path together with RelaxVM, or use a version of it that has"
                + " the file META-INF/services/org.relaxvm.api.spi.BackendProvider");
  }

  @Test
  void aPluginOnTheModulePathIsNamedByARelaxVmOnTheClassPath() throws Exception {
    Path lonely = new ProviderSource("lonely").jar().build(folder.resolve("lonely.jar"));
    // As a folder of modules, to try that form of the option too.
    List<String> flags = List.of(NATIVE.getFirst(), "--module-path", folder.toString());
    ProcessRun jvm = CommandInJvm.onClassPath(List.of(), flags, "doctor", "--json");
    assertThat(states(jvm)).contains("broken lonely.jar " + lonely, "usable cpu");
    assertThat(jvm.out())
        .contains(
            "it is on the module path, but RelaxVM is on the class path, so that its"
                + " org.relaxvm.api.spi.BackendProvider is not looked for",
            "put the jar on the class path, or RelaxVM on the module path as well");
  }

  @Test
  void aPluginThatIsAddedToTheModulesIsFoundByARelaxVmOnTheClassPath() throws Exception {
    Path added = new ProviderSource("added").jar().build(folder.resolve("added.jar"));
    List<String> flags =
        List.of(NATIVE.getFirst(), "--module-path", folder.toString(), "--add-modules=added");
    ProcessRun jvm = CommandInJvm.onClassPath(List.of(), flags, "doctor", "--json");
    assertThat(states(jvm))
        .contains("usable added " + added, "usable cpu")
        .noneMatch(line -> line.startsWith("broken"));
  }

  /** State, name and origin of each diagnosis; without the origin for RelaxVM's own. */
  private static List<String> states(ProcessRun jvm) throws IOException {
    assertThat(jvm.status()).as(jvm.err()).isZero();
    List<?> providers = (List<?>) JSON.std.mapFrom(jvm.out()).getOrDefault("providers", List.of());
    return providers.stream()
        .map(provider -> (Map<?, ?>) provider)
        .map(
            provider ->
                provider.get("state")
                    + " "
                    + provider.get("name")
                    + (isOurs(provider) ? "" : " " + provider.get("origin")))
        .toList();
  }

  private static boolean isOurs(Map<?, ?> provider) {
    return OurModules.classPath().contains(Path.of(String.valueOf(provider.get("origin"))));
  }
}
