package org.relaxvm.integrationtests.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * The code in the documents is the code that is compiled and run here. After a change of the code,
 * {@code -Drelaxvm.updateDocuments=true} brings the documents up to date.
 */
class DocumentCodeTest {
  private static final Path ROOT = Path.of("..");
  private static final Path DIGITS = ROOT.resolve("examples/digits/digits.rvm");

  @Test
  void codeInDocumentsIsTheCompiledCode() throws IOException {
    boolean update = Boolean.getBoolean("relaxvm.updateDocuments");
    MarkdownCode code = new MarkdownCode(ROOT);
    List<String> stale = new ArrayList<>();
    for (String document :
        List.of(
            "README.md",
            "docs/user-guide.md",
            "docs/kernels.md",
            "docs/compiler.md",
            "docs/from-onnx.md",
            "docs/from-tvm.md",
            "docs/objects.md",
            "docs/remote.md",
            "docs/writing-a-backend.md")) {
      stale.addAll(code.stale(ROOT.resolve(document), update));
    }
    assertThat(stale)
        .as("code blocks that differ from their source; -Drelaxvm.updateDocuments=true mends them")
        .isEmpty();
  }

  @Test
  void snippetsDoWhatTheGuideSays(@TempDir Path folder) {
    assertThat(GuideSnippets.load(DIGITS)).hasSize(10);
    assertThat(GuideSnippets.tensors(folder)).isEqualTo(Shape.of(3, 2));
    assertThat(folder.resolve("row.npy")).isRegularFile();
    assertThat(GuideSnippets.severalDevices())
        .usingComparatorWithPrecision(1e-4f)
        .containsExactly(1, 3.7182817f, 9.389056f, 23.085537f);
    assertThat(GuideSnippets.hostFunction()).isEqualTo(42);
    assertThat(GuideSnippets.processFunction()).isEqualTo("a/1.5");
    assertThat(GuideSnippets.builder())
        .contains("call  vm.builtin.make_tuple in: %0, c[0]     dst: %1");
  }

  @Test
  void objectsAreChangedAsTheDocumentSays(@TempDir Path folder) throws IOException {
    ObjectTypes types = ObjectTypes.discover();
    Object one = types.require("ir.IntImm").create(Map.of("value", 1L));
    Object sum = types.require("tirx.Add").create(Map.of("a", one, "b", one));
    Path file = folder.resolve("sum.json");
    Files.writeString(file, new ObjectGraph(sum).toJson(types));
    assertThat(ObjectSnippets.change(file, folder.resolve("changed.json")))
        .isEqualTo("the values differ\n  left: <root>.b.value is 1\n  right: <root>.b.value is 2");
    assertThat(folder.resolve("changed.json")).content().contains("\"value\":2");
  }

  @Test
  void passesAreFunctionsAsTheDocumentSays() {
    String text =
        """
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
                a = R.add(x, x)
                b = R.exp(a)
                return b
        """;
    try (BackendRegistry registry = BackendRegistry.discover();
        RpcServer server = RpcServer.start(ServerOptions.DEFAULT)) {
      assertThat(ObjectSnippets.passes(registry, text))
          .isInstanceOfSatisfying(
              Program.class,
              program -> assertThat(program.modules().getFirst().image().symbols()).hasSize(1));
      PackedFunc parse = registry.findFunction("relaxvm.module.parse").orElseThrow().function();
      Object module = Objects.requireNonNull(parse.invoke(text).object());
      Object fused = ObjectSnippets.remote(server.endpoint().toString(), module);
      PackedFunc print = registry.findFunction("relaxvm.module.print").orElseThrow().function();
      assertThat(print.invoke(fused).asString()).contains("def fused_add_tir_exp(");
    }
  }

  @Test
  void kernelsAreMadeAndRunAsTheDocumentSays() {
    assertThat(GuideSnippets.kernelRun(GuideSnippets.kernel()))
        .containsExactly(0.25f, 0.5f, 1, 0.25f, 0.5f, 1);
  }

  @Test
  void modulesAreBuiltCompiledAndRunAsTheDocumentSays(@TempDir Path folder) {
    try (Tensor weight = Tensor.zeros(DType.FLOAT32, Shape.of(4, 2));
        Tensor bias = Tensor.of(new float[] {1, 1}, Shape.of(2))) {
      ModuleBuilder model = CompilerSnippets.model(weight, bias);
      assertThat(CompilerSnippets.compileAndRun(model, folder.resolve("model.rvm")))
          .containsExactly(0.5f, 0.5f, 0.5f, 0.5f);
      assertThat(CompilerSnippets.text(model, folder.resolve("model.relax")))
          .contains("R.nn.softmax(");
      assertThat(CompilerSnippets.pipeline(model.module())).hasSize(1);
    }
    assertThat(CompilerSnippets.choice().relaxFunctions()).hasSize(1);
  }

  @Test
  void snippetsThatNeedAMachineDoWhatTheGuideSays() {
    try (VirtualMachine vm = VirtualMachine.builder(Program.load(DIGITS)).build();
        Tensor image = Tensor.zeros(DType.FLOAT32, Shape.of(1, 1, 28, 28))) {
      assertThat(GuideSnippets.instrument(vm, image)).isGreaterThan(5);
      assertThat(GuideSnippets.session(vm, image)).isEqualTo(10);
      assertThat(GuideSnippets.capture(vm, List.of(image, image))).isPositive();
      assertThat(GuideSnippets.signature(vm))
          .isEqualTo("[image: float32[n, 1, 28, 28] on cpu:0] -> [output: float32[n, 10]]");
      assertThat(GuideSnippets.named(vm, image)).hasSize(10);
      assertThat(GuideSnippets.uploaded(vm, image)).isPositive();
      assertThat(GuideSnippets.bound(vm, List.of(image, image))).isPositive();
      assertThat(GuideSnippets.asynchronous(vm, image)).isEqualTo(10);
      GuideSnippets.limits(vm.program()).build().close();
      GuideSnippets.parallel(vm.program(), (args, result) -> {}).build().close();
      assertThat(GuideSnippets.memory(vm)).isPositive();
      assertThat(GuideSnippets.failure(vm)).startsWith("argument 'image' of main");
    }
  }
}
