package org.relaxvm.integrationtests.plugins;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.object.ObjectTypeProvider;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.object.Representation;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ProcessRun;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.ObjectGraph;

/** A type of another jar, which only knows the API: its printer, graphs of it, a pass over it. */
class ThirdPartyObjectTest {
  private static final String GRAPH =
      """
      {"root_index":2,"nodes":[{"type":"ffi.String","data":"c"},\
      {"type":"acme.Scale","data":{"axis":1,"factor":0.5,"comment":0}},\
      {"type":"ffi.Array","data":[1,1]}]}\
      """;
  private static final String TREE =
      """
      <root>: ffi.Array of 2
        [0]: acme.Scale
          axis: 1
          factor: 0.5
          comment: "c"
        [1]: acme.Scale, as <root>[0]
      """;

  @TempDir private Path folder;
  private Path graph;

  @BeforeEach
  void writeGraph() throws Exception {
    graph = Files.writeString(folder.resolve("scales.json"), GRAPH);
  }

  private static JarBuilder jar() {
    return new JarBuilder()
        .sourcesOf(Path.of("src/test/resources/objects"))
        .service(ObjectTypeProvider.class, "acme.ScaleTypes")
        .service(FunctionProvider.class, "acme.ScaleTypes");
  }

  @Test
  void onTheClassPath() throws Exception {
    ProcessRun run =
        CommandInJvm.onClassPath(
            List.of(jar().build(folder.resolve("acme.jar"))),
            List.of(),
            "inspect",
            graph,
            "--tree");
    assertThat(run.requireOut()).isEqualTo(TREE);
  }

  @Test
  void onTheModulePath() throws Exception {
    Path module =
        jar()
            .source(
                "module-info.java",
                """
                module acme {
                  requires org.relaxvm.api;
                  provides org.relaxvm.api.object.ObjectTypeProvider with acme.ScaleTypes;
                  provides org.relaxvm.api.spi.FunctionProvider with acme.ScaleTypes;
                }
                """)
            .build(folder.resolve("acme.jar"));
    ProcessRun run =
        CommandInJvm.onModulePath(
            List.of(module),
            List.of("--enable-native-access=" + OurModules.NATIVE),
            "inspect",
            graph,
            "--tree");
    assertThat(run.requireOut()).isEqualTo(TREE);
  }

  @Test
  void printedComparedAndChangedByAPass() throws Exception {
    Path jar = jar().build(folder.resolve("acme.jar"));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      ObjectTypes types = ObjectTypes.discover();
      List<?> scales = (List<?>) requireNonNull(ObjectGraph.parse(GRAPH, types).root());
      Object scale = requireNonNull(scales.getFirst());
      assertThat(Representation.of(scale, types)).isEqualTo("1 * 0.5");
      Object renamed = ObjectView.of(types, scale).with("comment", "other");
      assertThat(StructuralEquality.areEqual(scale, renamed, types, CompareOptions.DEFAULT))
          .isTrue();
      try (BackendRegistry registry = BackendRegistry.discover()) {
        Object twice =
            registry
                .findFunction("acme.transform.Twice")
                .orElseThrow()
                .function()
                .invoke(scale)
                .object();
        assertThat(Representation.of(twice, types)).isEqualTo("1 * 1.0");
        assertThat(
                StructuralEquality.firstMismatch(scale, twice, types, CompareOptions.DEFAULT)
                    .orElseThrow()
                    .leftPath())
            .hasToString("<root>.factor");
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void withoutTheJarTheTypeIsNamed() {
    ObjectTypes types = ObjectTypes.discover();
    assertThatThrownBy(() -> ObjectGraph.parse(GRAPH, types))
        .hasMessageContaining("Cannot find type `acme.Scale`")
        .hasMessageContaining("what to do: put the jar that declares it on the class path");
    assertThatThrownBy(() -> types.require("acme.Scale").create(Map.of()))
        .isInstanceOf(CallException.class);
  }
}
