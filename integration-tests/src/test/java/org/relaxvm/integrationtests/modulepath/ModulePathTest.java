package org.relaxvm.integrationtests.modulepath;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.integrationtests.process.ProcessRun;

/** A JVM of its own, with every jar on the module path and none on the class path. */
class ModulePathTest {
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
    List<String> all = new ArrayList<>(List.of(flags));
    all.addAll(
        List.of("-Drelaxvm.cpu.vectors=auto", "--enable-native-access=" + OurModules.NATIVE));
    ProcessRun run =
        ChildJvm.run(
            all,
            List.of(
                "--module-path",
                OurModules.modulePath(),
                "--module",
                "org.relaxvm.cli/org.relaxvm.cli.Main"),
            "doctor",
            "--json");
    assertThat(usableProviders(run.requireOut())).contains("backend cpu", "functions builtins");
    return run.err();
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
