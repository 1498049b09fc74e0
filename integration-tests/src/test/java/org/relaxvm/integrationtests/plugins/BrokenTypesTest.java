package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.object.ObjectTypeProvider;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.registry.Diagnosis;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.named.PassRegistry;
import org.relaxvm.compiler.pass.PassProvider;
import org.relaxvm.compiler.pass.PassProviders;
import org.relaxvm.integrationtests.process.ProcessRun;

/** Jars whose object types or passes cannot be used do not keep others from working. */
class BrokenTypesTest {
  private static final String TYPE =
      """
      ObjectDeclaration.of("%s", "%s", ComparisonKind.TREE, List.of())\
      """;

  @TempDir private Path folder;
  private final Thread thread = Thread.currentThread();
  private final ClassLoader before = thread.getContextClassLoader();

  private Path types(String name, String body) {
    return new JarBuilder()
        .source(
            name + "/Types.java",
            """
            package %s;
            import java.util.List;
            import org.relaxvm.api.object.*;
            public class Types implements ObjectTypeProvider {
              public List<ObjectDeclaration> types() { %s }
            }
            """
                .formatted(name, body))
        .service(ObjectTypeProvider.class, name + ".Types")
        .build(folder.resolve(name + ".jar"));
  }

  private static String declare(String key, String parent) {
    return "return List.of(" + TYPE.formatted(key, parent) + ");";
  }

  /** Puts jars on the class path of this thread. */
  private void use(Path... jars) throws Exception {
    URL[] urls = new URL[jars.length];
    for (int i = 0; i < jars.length; i++) {
      urls[i] = jars[i].toUri().toURL();
    }
    thread.setContextClassLoader(new URLClassLoader(urls, before));
  }

  @AfterEach
  void restore() throws Exception {
    if (thread.getContextClassLoader() instanceof URLClassLoader loader && !loader.equals(before)) {
      thread.setContextClassLoader(before);
      loader.close();
    }
  }

  private static List<String> diagnoses() {
    return ObjectTypes.discover().diagnose().stream()
        .filter(found -> !found.providerClass().startsWith("org.relaxvm."))
        .map(Diagnosis::toString)
        .toList();
  }

  @Test
  void aProviderThatFailsIsLeftOutAndNamed() throws Exception {
    Path failing = types("failing", "throw new IllegalStateException(\"no table\");");
    Path nothing = types("nothing", "return null;");
    Path good = types("good", declare("good.Type", "ffi.Object"));
    Path lost =
        new JarBuilder()
            .service(ObjectTypeProvider.class, "lost.Types")
            .build(folder.resolve("lost.jar"));
    use(failing, nothing, good, lost);
    assertThat(diagnoses())
        .containsExactly(
            "failing.Types ("
                + failing
                + ") broken: asking it for its types failed: java.lang.IllegalStateException: no"
                + " table; replace or remove the jar",
            "nothing.Types ("
                + nothing
                + ") broken: asking it for its types failed: java.lang.NullPointerException:"
                + " types() returned null; replace or remove the jar",
            "good.Types (" + good + ") usable: 1 type",
            "lost.Types ("
                + lost
                + ") broken: it cannot be loaded: META-INF/services lists a class that is missing;"
                + " replace or remove the jar");
    ObjectTypes types = ObjectTypes.discover();
    assertThat(types.require("good.Type").index()).isGreaterThanOrEqualTo(128);
    assertThat(types.find("ir.IRModule")).isPresent();
    assertThatThrownBy(() -> types.require("failing.Type"))
        .isInstanceOf(CallException.class)
        .hasMessageStartingWith("Cannot find type `failing.Type`\n  problem: failing.Types (")
        .hasMessageEndingWith("\n  what to do: put the jar that declares it on the class path");
  }

  @Test
  void aTypeOfTwoJarsIsAmbiguousAndOthersAreNot() throws Exception {
    String both = "return List.of(" + TYPE.formatted("twin.Type", "ffi.Object") + ", %s);";
    Path first = types("first", both.formatted(TYPE.formatted("first.Type", "ffi.Object")));
    Path second = types("second", both.formatted(TYPE.formatted("second.Type", "twin.Type")));
    use(first, second);
    String labels = "first.Types (" + first + ") and second.Types (" + second + ")";
    assertThat(diagnoses())
        .containsExactly(
            "first.Types ("
                + first
                + ") usable: 2 types; its type twin.Type cannot be used, as second.Types ("
                + second
                + ") declares it, too; replace or remove one of the jars",
            "second.Types ("
                + second
                + ") usable: 2 types; its type twin.Type cannot be used, as first.Types ("
                + first
                + ") declares it, too; the type second.Type extends twin.Type, which cannot be"
                + " used; replace or remove one of the jars");
    ObjectTypes types = ObjectTypes.discover();
    assertThat(types.find("first.Type")).isPresent();
    assertThatThrownBy(() -> types.require("twin.Type"))
        .hasMessage(
            "Cannot find type `twin.Type`\n  because: "
                + labels
                + " declare it\n  what to do: replace or remove one of the jars");
    assertThatThrownBy(() -> types.require("second.Type"))
        .hasMessageContaining("because: the type second.Type extends twin.Type, which cannot be");
  }

  @Test
  void typesOfRelaxVmAreKept() throws Exception {
    Path thief = types("thief", declare("ir.IRModule", "ffi.Object"));
    Path value = types("value", declare("ffi.Array", "ffi.Object"));
    use(thief, value);
    assertThat(diagnoses())
        .containsExactly(
            "thief.Types ("
                + thief
                + ") usable: 1 type; its type ir.IRModule is not used, as it is a type of RelaxVM;"
                + " replace or remove one of the jars",
            "value.Types ("
                + value
                + ") usable: 1 type; the type ffi.Array is a value of RelaxVM; replace or remove"
                + " one of the jars");
    assertThat(ObjectTypes.discover().require("ir.IRModule").fields()).isNotEmpty();
  }

  @Test
  void passesThatFailAreLeftOutAndNamed() throws Exception {
    Path failing =
        new JarBuilder()
            .source(
                "failing/Passes.java",
                """
                package failing;
                import java.util.List;
                import org.relaxvm.compiler.pass.PassProvider;
                public class Passes implements PassProvider {
                  public String name() { return "failing"; }
                  public List<Placement> passes() { throw new IllegalStateException("no passes"); }
                }
                """)
            .service(PassProvider.class, "failing.Passes")
            .build(folder.resolve("passes.jar"));
    use(failing);
    String problem =
        "failing.Passes ("
            + failing
            + ") broken: asking it for its passes failed: java.lang.IllegalStateException: no"
            + " passes; replace or remove the jar";
    assertThat(PassProviders.discover().problems()).containsExactly("the pass provider " + problem);
    assertThat(StandardPipelines.standard().withProviders().names())
        .isEqualTo(StandardPipelines.standard().names());
    PassRegistry registry = PassRegistry.discover();
    assertThatThrownBy(() -> registry.require("failing.Pass"))
        .hasMessageContaining("\n  problem: the pass provider " + problem + "\n  what to do: ");
  }

  @Test
  void commandsShowThem() throws Exception {
    Path failing = types("failing", "throw new IllegalStateException(\"no table\");");
    Path good = types("good", declare("good.Type", "ffi.Object"));
    assertThat(command(List.of(failing, good), "doctor").requireOut())
        .contains(
            "\nObject types\n",
            "  ok       good.Types  " + good + "\n      1 type\n",
            "  broken   failing.Types  "
                + failing
                + "\n      asking it for its types failed: java.lang.IllegalStateException: no"
                + " table\n      what to do: replace or remove the jar\n",
            "\nPasses of other jars\n  none\n");
    Path graph =
        Files.writeString(
            folder.resolve("graph.json"),
            "{\"root_index\":0,\"nodes\":[{\"type\":\"good.Type\",\"data\":{}}]}");
    assertThat(command(List.of(failing, good), "inspect", graph, "--tree").requireOut())
        .isEqualTo("<root>: good.Type()\n");
  }

  private static ProcessRun command(List<Path> jars, Object... arguments) throws Exception {
    return CommandInJvm.onClassPath(jars, List.of(), arguments);
  }
}
