package org.relaxvm.api.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.fakes.JarBuilder;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.FunctionProvider;

/** Discovery in real jars, good and bad ones side by side. */
class ProviderDiscoveryTest {
  private static final String PROVIDER =
      """
      package acme;
      import java.util.List;
      import org.relaxvm.api.spi.*;
      public class %s extends %s implements BackendProvider {
        public %s() { %s }
        public int spiVersion() { return SpiVersion.CURRENT; }
        public String name() { return "%s"; }
        public Probe probe() { return Probe.usable("fine"); }
        public Backend open() {
          return new Backend() {
            public String name() { return "%s"; }
            public List<Device> devices() { return List.of(); }
            public void close() {}
          };
        }
      }
      """;

  private static final String FUNCTIONS =
      """
      package acme;
      import java.util.*;
      import org.relaxvm.api.PackedFunc;
      import org.relaxvm.api.spi.*;
      public class Functions implements FunctionProvider {
        public int spiVersion() { return SpiVersion.CURRENT; }
        public String name() { return "acme"; }
        public Set<String> functionNames() { return Set.of("acme.one"); }
        public Optional<PackedFunc> find(String name) {
          return Optional.of((args, result) -> result.setLong(1));
        }
      }
      """;

  @TempDir Path folder;

  private static String source(String type, String parent, String construct, String name) {
    return PROVIDER.formatted(type, parent, type, construct, name, name);
  }

  private Path goodJar() {
    return new JarBuilder()
        .source("acme/Good.java", source("Good", "Object", "", "good"))
        .source("acme/Functions.java", FUNCTIONS)
        .service(BackendProvider.class, "acme.Good")
        .service(FunctionProvider.class, "acme.Functions # a comment")
        .build(folder.resolve("good.jar"));
  }

  private static Map<String, Diagnosis> diagnose(Path... jars) throws Exception {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    try (URLClassLoader loader =
            new URLClassLoader(urls, ProviderDiscoveryTest.class.getClassLoader());
        BackendRegistry registry = BackendRegistry.discover(loader)) {
      assertThat(registry.findFunction("acme.one")).isPresent();
      assertThatThrownBy(() -> registry.require("good:0"))
          .hasMessage("there is no device good:0: the backend good has no device");
      return registry.diagnose().stream()
          .collect(Collectors.toMap(Diagnosis::name, Function.identity()));
    }
  }

  @Test
  void goodJarsAreFoundWithTheirOrigin() throws Exception {
    Map<String, Diagnosis> found = diagnose(goodJar());
    assertThat(found).containsOnlyKeys("good", "acme");
    assertThat(found.get("good"))
        .hasToString("good (" + folder.resolve("good.jar") + ") usable: fine");
    assertThat(found.get("acme"))
        .hasToString("acme (" + folder.resolve("good.jar") + ") usable: 1 function");
  }

  @Test
  void aConstructorThatThrowsIsReportedBesideTheGoodJar() throws Exception {
    Path bad =
        new JarBuilder()
            .source(
                "acme/Bad.java",
                source("Bad", "Object", "if (true) throw new RuntimeException(\"no\");", "bad"))
            .service(BackendProvider.class, "acme.Bad")
            .build(folder.resolve("bad.jar"));
    assertThat(diagnose(bad, goodJar()).get("acme.Bad"))
        .hasToString(
            "acme.Bad ("
                + bad
                + ") broken: its constructor failed: java.lang.RuntimeException: no; replace or"
                + " remove the jar");
  }

  @Test
  void aClassThatIsListedButMissingIsReportedWithItsJar() throws Exception {
    Path bad =
        new JarBuilder()
            .service(BackendProvider.class, "acme.Absent")
            .build(folder.resolve("bad.jar"));
    assertThat(diagnose(bad, goodJar()).get("acme.Absent"))
        .hasToString(
            "acme.Absent ("
                + bad
                + ") broken: it cannot be loaded: Provider acme.Absent not found; replace or remove"
                + " the jar");
  }

  @Test
  void aMissingSuperclassIsReportedWithItsJar() throws Exception {
    Path bad =
        new JarBuilder()
            .source("acme/Base.java", "package acme; public class Base {}")
            .source("acme/Bad.java", source("Bad", "Base", "", "bad"))
            .service(BackendProvider.class, "acme.Bad")
            .without("acme/Base.class")
            .build(folder.resolve("bad.jar"));
    assertThat(diagnose(bad, goodJar()).get("acme.Bad"))
        .hasToString(
            "acme.Bad ("
                + bad
                + ") broken: it cannot be loaded: class acme.Base is missing; add the jar or module"
                + " that holds the class, or replace or remove the jar");
  }

  @Test
  void aClassThatIsNoProviderIsReported() throws Exception {
    Path bad =
        new JarBuilder()
            .source("acme/Other.java", "package acme; public class Other {}")
            .service(BackendProvider.class, "acme.Other")
            .build(folder.resolve("bad.jar"));
    assertThat(diagnose(bad, goodJar()).get("acme.Other"))
        .extracting(Diagnosis::detail)
        .isEqualTo("it cannot be loaded: acme.Other not a subtype");
  }

  @Test
  void aMalformedServiceFileIsReported() throws Exception {
    Path bad =
        new JarBuilder()
            .service(BackendProvider.class, "not a class name")
            .build(folder.resolve("bad.jar"));
    assertThat(diagnose(bad, goodJar()).get("not a class name"))
        .extracting(Diagnosis::state, Diagnosis::origin)
        .containsExactly(Diagnosis.State.BROKEN, bad.toString());
  }

  @Test
  void aProviderWithoutTheSpiMethodsIsReported() throws Exception {
    String incomplete =
        """
        package org.relaxvm.api.spi;
        public interface BackendProvider {}
        """;
    Path bad =
        new JarBuilder()
            .source("org/relaxvm/api/spi/BackendProvider.java", incomplete)
            .source(
                "acme/Old.java",
                "package acme; public class Old implements"
                    + " org.relaxvm.api.spi.BackendProvider {}")
            .without("org/relaxvm/api/spi/BackendProvider.class")
            .service(BackendProvider.class, "acme.Old")
            .build(folder.resolve("bad.jar"));
    assertThat(diagnose(bad, goodJar()).get("acme.Old"))
        .satisfies(
            found -> {
              assertThat(found.detail())
                  .startsWith("spiVersion() failed: java.lang.AbstractMethodError: ");
              assertThat(found.remedy()).isEqualTo("use a jar built for this version of RelaxVM");
            });
  }
}
