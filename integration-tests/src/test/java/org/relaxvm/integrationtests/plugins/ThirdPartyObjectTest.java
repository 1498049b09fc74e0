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
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.object.ObjectTypeProvider;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.object.Representation;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ChildJvm;
import org.relaxvm.integrationtests.process.ProcessRun;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteObject;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Tier;
import org.relaxvm.vmcore.vm.VirtualMachine;

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

  /** Calls the printer and the pass, and only knows the API. */
  private static final String SHOW =
      """
      package acme;
      import java.util.Map;
      import org.relaxvm.api.object.*;
      import org.relaxvm.api.registry.BackendRegistry;
      public class Show {
        public static void main(String[] args) {
          ObjectTypes types = ObjectTypes.discover();
          Object scale =
              types.require("acme.Scale").create(Map.of("axis", 1L, "factor", 0.5, "comment", ""));
          try (BackendRegistry registry = BackendRegistry.discover()) {
            Object twice =
                registry.findFunction("acme.transform.Twice").orElseThrow().function()
                    .invoke(scale).object();
            System.out.println(Representation.of(scale, types));
            System.out.println(Representation.of(twice, types));
          }
        }
      }
      """;

  private static JarBuilder jar() {
    return new JarBuilder()
        .sourcesOf(Path.of("src/test/resources/objects"))
        .source("acme/Show.java", SHOW)
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
  void itsDifferenceIsPrintedByItsPrinter() throws Exception {
    Path other =
        Files.writeString(
            folder.resolve("one.json"),
            """
            {"root_index":1,"nodes":[{"type":"ffi.String","data":"c"},\
            {"type":"ffi.Array","data":[0,0]}]}\
            """);
    ProcessRun run =
        CommandInJvm.onClassPath(
            List.of(jar().build(folder.resolve("acme.jar"))),
            List.of(),
            "inspect",
            graph,
            "--diff",
            other);
    assertThat(run.out())
        .isEqualTo(
            """
            the values differ
              left: <root>[0] is 1 * 0.5
              right: <root>[0] is "c"
            """);
  }

  @Test
  void printedAndChangedOnTheClassPath() throws Exception {
    Path jar = jar().build(folder.resolve("acme.jar"));
    List<String> main =
        List.of(
            "--class-path",
            CommandInJvm.path(OurModules.classPathText(), List.of(jar)),
            "acme.Show");
    assertThat(ChildJvm.run(List.of(), main).requireOut()).isEqualTo("1 * 0.5\n1 * 1.0\n");
  }

  @Test
  void printedAndChangedOnTheModulePath() throws Exception {
    List<String> main =
        List.of(
            "--module-path",
            CommandInJvm.path(OurModules.modulePath(), List.of(module())),
            "--module",
            "acme/acme.Show");
    assertThat(ChildJvm.run(List.of(), main).requireOut()).isEqualTo("1 * 0.5\n1 * 1.0\n");
  }

  private Path module() {
    return jar()
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
  }

  @Test
  void onTheModulePath() throws Exception {
    ProcessRun run =
        CommandInJvm.onModulePath(
            List.of(module()),
            List.of("--enable-native-access=" + OurModules.NATIVE),
            "inspect",
            graph,
            "--tree");
    assertThat(run.requireOut()).isEqualTo(TREE);
  }

  @Test
  void itTakesLessThanSixtyLines() throws Exception {
    assertThat(Files.readAllLines(Path.of("src/test/resources/objects/acme/ScaleTypes.java")))
        .hasSizeLessThan(60);
  }

  /** What is done where a jar is on the class path. */
  private interface Action {
    void run(ObjectTypes types, Object scale) throws Exception;
  }

  private void withJar(Action action) throws Exception {
    Path jar = jar().build(folder.resolve("acme.jar"));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      ObjectTypes types = ObjectTypes.discover();
      List<?> scales = (List<?>) requireNonNull(ObjectGraph.parse(GRAPH, types).root());
      action.run(types, requireNonNull(scales.getFirst()));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void printedComparedAndChangedByAPass() throws Exception {
    withJar(
        (types, scale) -> {
          assertThat(Representation.of(scale, types)).isEqualTo("1 * 0.5");
          Object renamed = ObjectView.of(types, scale).with("comment", "other");
          assertThat(StructuralEquality.areEqual(scale, renamed, types, CompareOptions.DEFAULT))
              .isTrue();
          try (BackendRegistry registry = BackendRegistry.discover()) {
            Object twice = twice(registry).invoke(scale).object();
            assertThat(Representation.of(twice, types)).isEqualTo("1 * 1.0");
            assertThat(
                    StructuralEquality.firstMismatch(scale, twice, types, CompareOptions.DEFAULT)
                        .orElseThrow()
                        .leftPath())
                .hasToString("<root>.factor");
          }
        });
  }

  private static PackedFunc twice(BackendRegistry registry) {
    return registry.findFunction("acme.transform.Twice").orElseThrow().function();
  }

  /** A program whose closure captures a scale, and doubles it with the function of the jar. */
  private static final Program PROGRAM =
      Program.of(
          Assembler.parse(
              """
              @doubled(x, scale):
                call acme.transform.Twice in: %1 dst: %2
                call vm.builtin.make_tuple in: %0, %2 dst: %3
                ret %3
              @main(x, scale):
                call vm.builtin.make_closure in: f[doubled], %1 dst: %2
                call vm.builtin.invoke_closure in: %vm, %2, %0 dst: %3
                ret %3
              """));

  @Test
  void itCrossesCallsAndClosuresOfEachTier() throws Exception {
    withJar(
        (types, scale) -> {
          for (Tier tier : Tier.values()) {
            try (VirtualMachine vm = VirtualMachine.builder(PROGRAM).tier(tier).build();
                Value result = vm.function("main").call(7, scale)) {
              Object doubled = requireNonNull(result.asTuple().get(1));
              assertThat(doubled).isInstanceOf(scale.getClass());
              assertThat(Representation.of(doubled, types)).isEqualTo("1 * 1.0");
              assertThatThrownBy(() -> vm.function("main").call(7, 8))
                  .hasMessageContaining("a value of int has no fields");
            }
          }
          PackedFunc length = (args, result) -> result.setLong(args.shapeAt(0).rank());
          assertThatThrownBy(() -> length.invoke(scale))
              .hasMessage("argument #0 must be a shape, but is of type acme.Scale");
        });
  }

  @Test
  void itCrossesToAServerAndBack() throws Exception {
    withJar(
        (types, scale) -> {
          try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT);
              RpcSession session = RpcSession.connect(server.endpoint().toString());
              RemoteFunction twice = session.requireFunction("acme.transform.Twice");
              RemoteObject doubled = (RemoteObject) requireNonNull(twice.call(scale))) {
            Object fetched = requireNonNull(doubled.fetch());
            assertThat(fetched).isInstanceOf(scale.getClass());
            assertThat(Representation.of(fetched, types)).isEqualTo("1 * 1.0");
          }
        });
  }

  @Test
  void aServerWithoutTheJarNamesTheType() throws Exception {
    try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT)) {
      withJar(
          (types, scale) -> {
            try (RpcSession session = RpcSession.connect(server.endpoint().toString());
                RemoteFunction size = session.requireFunction("ffi.ArraySize")) {
              assertThatThrownBy(() -> size.call(scale))
                  .hasMessageContaining("Cannot find type `acme.Scale`")
                  .hasMessageContaining(
                      "what to do: put the jar that declares it on the class path")
                  .hasMessageContaining("at argument #0, acme.Scale");
            }
          });
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
