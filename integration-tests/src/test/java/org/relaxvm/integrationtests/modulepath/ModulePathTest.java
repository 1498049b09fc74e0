package org.relaxvm.integrationtests.modulepath;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.OurModules;

/** A JVM of its own, with every jar on the module path and none on the class path. */
class ModulePathTest {
  private static final List<String> LIBRARIES =
      List.of("jackson-", "jspecify-", "picocli-", "slf4j-");

  @TempDir Path folder;

  @Test
  void doctorFindsTheProvidersOfTheModulePath() throws Exception {
    Path errors = folder.resolve("errors");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                modulePath(),
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

  private static String modulePath() {
    Stream<Path> ours =
        OurModules.all().stream().map(module -> Path.of(module.location().orElseThrow()));
    Stream<Path> libraries =
        OurModules.classPath().stream()
            .filter(entry -> LIBRARIES.stream().anyMatch(nameOf(entry)::startsWith));
    return Stream.concat(ours, libraries).map(Path::toString).collect(joining(File.pathSeparator));
  }

  private static String nameOf(Path entry) {
    return String.valueOf(entry.getFileName());
  }
}
