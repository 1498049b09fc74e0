package org.relaxvm.integrationtests.modulepath;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.OurModules;

/** A JVM of its own, with every jar on the module path and none on the class path. */
class ModulePathTest {
  @TempDir Path folder;

  @Test
  void doctorFindsTheProvidersOfTheModulePath() throws Exception {
    assertThat(doctor("--add-modules", "jdk.incubator.vector"))
        .isEqualTo("WARNING: Using incubator modules: jdk.incubator.vector\n");
  }

  @Test
  void withoutTheVectorModuleOneLineNamesTheFlag() throws Exception {
    assertThat(doctor())
        .endsWith(
            "kernels of the CPU are several times slower than they could be: portable Java (module"
                + " jdk.incubator.vector is missing; start Java with --add-modules"
                + " jdk.incubator.vector)\n")
        .hasLineCount(1);
  }

  /** Runs the command on the module path and returns what it printed to standard error. */
  private String doctor(String... flags) throws Exception {
    Path errors = folder.resolve("errors");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(
        List.of(
            "--module-path",
            OurModules.modulePath(),
            "--enable-native-access=org.relaxvm.api",
            "--module",
            "org.relaxvm.cli/org.relaxvm.cli.Main",
            "doctor",
            "--json"));
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(usableProviders(out)).contains("backend cpu", "functions builtins");
    return Files.readString(errors);
  }

  private static List<String> usableProviders(String json) throws Exception {
    List<?> providers = (List<?>) JSON.std.mapFrom(json).getOrDefault("providers", List.of());
    return providers.stream()
        .map(provider -> (Map<?, ?>) provider)
        .filter(provider -> "usable".equals(provider.get("state")))
        .map(provider -> provider.get("role") + " " + provider.get("name"))
        .toList();
  }
}
