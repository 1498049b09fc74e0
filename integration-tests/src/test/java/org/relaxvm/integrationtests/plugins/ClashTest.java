package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.api.spi.FunctionProvider;

/** Two jars that want the same name: both are told, and what they do not share works. */
class ClashTest {
  @TempDir Path folder;

  @Test
  void twoJarsWithBackendsOfOneNameAreBothNamed() throws Exception {
    Path first = new ProviderSource("npu").jar().build(folder.resolve("first.jar"));
    Path second =
        new ProviderSource("second")
            .naming("if (true) return \"npu\";")
            .jar()
            .build(folder.resolve("second.jar"));
    try (PluginPath plugins = PluginPath.of(first, second, GoodPlugin.in(folder))) {
      plugins.requireGoodPluginToWork();
      assertThat(plugins.faults())
          .containsExactly(
              "npu ("
                  + first
                  + ") broken: the name 'npu' is also claimed by "
                  + second
                  + "; remove one of the jars",
              "npu ("
                  + second
                  + ") broken: the name 'npu' is also claimed by "
                  + first
                  + "; remove one of the jars");
      assertThatThrownBy(() -> plugins.registry().require("npu:0"))
          .hasMessage(
              "device npu:0 is ambiguous: more than one backend has the name 'npu'\n  jars: "
                  + first
                  + ", "
                  + second
                  + "\n  what to do: remove all but one of them");
    }
  }

  @Test
  void twoJarsWithTheSameFunctionAreBothNamed() throws Exception {
    Path first = functions("first", "shared.f", "first.g");
    Path second = functions("second", "shared.f");
    try (PluginPath plugins = PluginPath.of(first, second, GoodPlugin.in(folder))) {
      plugins.requireGoodPluginToWork();
      assertThat(plugins.registry().diagnose())
          .extracting(Diagnosis::toString)
          .contains(
              "first ("
                  + first
                  + ") usable: 2 functions; programs that need 'shared.f' do not link, because of"
                  + " second ("
                  + second
                  + "); remove one of the jars",
              "second ("
                  + second
                  + ") usable: 1 function; programs that need 'shared.f' do not link, because of"
                  + " first ("
                  + first
                  + "); remove one of the jars");
      assertThatThrownBy(() -> plugins.registry().findFunction("shared.f"))
          .hasMessage(
              "the function 'shared.f' is offered by more than one provider: first ("
                  + first
                  + ") and second ("
                  + second
                  + "); remove one of them");
      assertThat(plugins.registry().findFunction("first.g")).isPresent();
    }
  }

  @Test
  void twoVersionsOfAJarAreToldAndTheFirstIsUsed() throws Exception {
    Path newer = new ProviderSource("npu").jar().build(folder.resolve("npu-2.jar"));
    Path older = new ProviderSource("npu").version("99").jar().build(folder.resolve("npu-1.jar"));
    try (PluginPath plugins = PluginPath.of(newer, older, GoodPlugin.in(folder))) {
      plugins.requireGoodPluginToWork();
      assertThat(plugins.registry().diagnose())
          .extracting(Diagnosis::toString)
          .contains("npu (" + newer + ") usable: fine");
      assertThat(plugins.faults())
          .containsExactly(
              "npu-1.jar ("
                  + older
                  + ") broken: it offers npu.Provider, as does "
                  + newer
                  + ", which comes first and is the one that is used; remove one of the two jars");
    }
  }

  private Path functions(String name, String... functions) {
    return new JarBuilder()
        .source(
            name + "/Functions.java",
            """
            package %s;
            import java.util.*;
            import org.relaxvm.api.PackedFunc;
            import org.relaxvm.api.spi.*;
            public class Functions implements FunctionProvider {
              public int spiVersion() { return SpiVersion.CURRENT; }
              public String name() { return "%s"; }
              public Set<String> functionNames() { return Set.of("%s"); }
              public Optional<PackedFunc> find(String name) {
                return Optional.of((args, result) -> result.setLong(1));
              }
            }
            """
                .formatted(name, name, String.join("\", \"", functions)))
        .service(FunctionProvider.class, name + ".Functions")
        .build(folder.resolve(name + ".jar"));
  }
}
