package org.relaxvm.integrationtests.modulepath;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.nio.file.Files;
import java.nio.file.Path;
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
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                OurModules.modulePath(),
                "--enable-native-access=org.relaxvm.api",
                "--module",
                "org.relaxvm.cli/org.relaxvm.cli.Main",
                "doctor",
                "--json")
            .redirectError(errors.toFile())
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    assertThat(errors).isEmptyFile();
    assertThat(usableProviders(out)).contains("backend cpu", "functions builtins");
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
