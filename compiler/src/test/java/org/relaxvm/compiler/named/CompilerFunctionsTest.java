package org.relaxvm.compiler.named;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;

/** The compiler by the names of its functions, as code sees it that knows only the API. */
class CompilerFunctionsTest {
  private static final BackendRegistry REGISTRY = BackendRegistry.discover();

  private static final String TEXT =
      """
      @I.ir_module
      class Module:
          @R.function
          def main(x: R.Tensor((n, 4), "float32"), w: R.Tensor((4,), "float32")) -> R.Tensor((n, 4), "float32"):
              with R.dataflow():
                  unused = R.exp(x)
                  a = R.add(x, w)
                  b = R.exp(a)
                  R.output(b)
              return b
      """;

  @TempDir private Path folder;

  @AfterAll
  static void close() {
    REGISTRY.close();
  }

  private static @Nullable Object call(String name, @Nullable Object... args) {
    return REGISTRY.findFunction(name).orElseThrow().function().invoke(args).object();
  }

  private static Object parsed() {
    return requireNonNull(call("relaxvm.module.parse", TEXT));
  }

  private static String printed(@Nullable Object module) {
    return String.valueOf(call("relaxvm.module.print", module));
  }

  @Test
  void modulesAreParsedPassedAndPrinted() {
    Object module = parsed();
    assertThat(TypeKeys.of(module)).isEqualTo("ir.IRModule");
    assertThat(printed(module)).contains("unused");
    Object pass = call("relax.transform.DeadCodeElimination", List.of("main"));
    assertThat(TypeKeys.of(pass)).isEqualTo("transform.Pass");
    Object clean = call("transform.RunPass", pass, module);
    assertThat(clean).isInstanceOf(ObjectNode.class);
    assertThat(printed(clean)).doesNotContain("unused");
    assertThat(call("ffi.StructuralEqual", clean, module)).isEqualTo(false);
  }

  @Test
  void theResultHasTheFormOfTheArgument() {
    IRModule module = RelaxText.parse(TEXT, "test", StandardOps.registry());
    Object clean = call("transform.RunPass", "DeadCodeElimination", module);
    assertThat(clean).isInstanceOf(IRModule.class);
    Object again = call("transform.RunPass", "DeadCodeElimination", parsed());
    assertThat(printed(clean)).isEqualTo(printed(again));
  }

  @Test
  void passesAreValuesNamesAndFunctions() {
    PackedFunc same = (args, result) -> result.setArgument(args, 0);
    Object fusion = call("relax.transform.FuseOps", -1);
    Object all =
        call(
            "transform.Sequential",
            call("ffi.Array", "simplification,LegalizeOps,AnnotateTIROpPattern", same, fusion),
            0,
            "mine");
    assertThat(TypeKeys.of(all)).isEqualTo("transform.Sequential");
    ObjectView info = ObjectView.of((ObjectNode) requireNonNull(call("transform.Info", all)));
    assertThat(info.type().key()).isEqualTo("transform.PassInfo");
    assertThat(info.get("name")).isEqualTo("mine");
    assertThat(printed(call("transform.RunPass", all, parsed()))).contains("fused_");
    Object none = call("relax.transform.FuseOps", 0);
    Object legal = call("transform.RunPass", "LegalizeOps,AnnotateTIROpPattern", parsed());
    assertThat(printed(call("transform.RunPass", none, legal))).doesNotContain("fused_");
  }

  @Test
  void optionsAreThoseOfTheOriginal() {
    try (Tensor weight = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(4))) {
      Object bound =
          call(
              "transform.RunPass",
              call("relax.transform.BindParams", "main", call("ffi.Map", "w", weight)),
              parsed());
      assertThat(printed(bound)).doesNotContain("w: R.Tensor").contains("R.const(");
      Object sized =
          call(
              "transform.RunPass",
              call("relax.transform.BindSymbolicVars", Map.of("n", 3L), "main"),
              bound);
      assertThat(printed(sized)).contains("R.Tensor((3, 4)");
    }
    Object skipping =
        call("relax.transform.LegalizeOps", null, call("ffi.Array", "relax.exp"), true);
    assertThat(printed(call("transform.RunPass", skipping, parsed())))
        .contains("R.exp(")
        .doesNotContain("R.add(");
  }

  @Test
  void programsAreBuilt() throws Exception {
    Object program = call("relax.build", parsed());
    assertThat(TypeKeys.of(program)).isEqualTo("relax.VMExecutable");
    byte[] bytes = (byte[]) requireNonNull(call("relaxvm.program.bytes", program));
    Path file = Files.write(folder.resolve("model.rvm"), bytes);
    assertThat(Program.load(file).executable().functions())
        .isEqualTo(((Program) requireNonNull(program)).executable().functions());
    Program compiled =
        (Program)
            requireNonNull(
                call("relax.build", parsed(), "simplification,zero,lowering", "compiled"));
    assertThat(compiled.executable().functions())
        .anySatisfy(function -> assertThat(function.kind().toString()).isEqualTo("VMTIR"));
  }

  @Test
  void functionsOfModulesAreFound() {
    Object module = parsed();
    List<?> names = (List<?>) requireNonNull(call("ir.Module_GetGlobalVars", module));
    assertThat(names).extracting(TypeKeys::of).containsExactly("ir.GlobalVar");
    assertThat(call("ir.Module_ContainGlobalVar", module, "main")).isEqualTo(true);
    assertThat(call("ir.Module_ContainGlobalVar", module, "other")).isEqualTo(false);
    assertThat(TypeKeys.of(call("ir.Module_Lookup_str", module, "main")))
        .isEqualTo("relax.expr.Function");
  }

  /** Each pass of the standard pipeline is there, and more, under Apache TVM's names. */
  @Test
  void everyStandardPassHasAName() {
    Set<String> expected = new LinkedHashSet<>(StandardPipelines.standard().names());
    expected.removeAll(
        Set.of(
            "RealizeVDeviceBehind",
            "FoldConstantBefore",
            "SpecializeKernels",
            "PackStorage",
            "CanonicalizeBindingsAfter",
            "IntegerMoves",
            "IntegerProducts",
            "RecognizeComposites",
            "FoldScaleAxis"));
    expected.addAll(List.of("BindParams", "BindSymbolicVars", "Normalize", "NormalizeGlobalVar"));
    Set<String> found = new TreeSet<>();
    for (String name : new CompilerFunctions().functionNames()) {
      if (name.startsWith("relax.transform.")) {
        found.add(name.substring("relax.transform.".length()));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void refused(
      ErrorKind kind, String message, String name, @Nullable Object... args) {
    assertThatThrownBy(() -> call(name, args))
        .isInstanceOfSatisfying(CallException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessage(message);
  }

  @Test
  void errorsNameTheArgumentAndTheFunction() {
    refused(
        ErrorKind.TYPE,
        "argument #0 must be of type transform.Pass, but is an integer\n"
            + "  at transform.RunPass(pass, module)",
        "transform.RunPass",
        1,
        parsed());
    refused(
        ErrorKind.TYPE,
        "argument #1 must be of type ir.IRModule, but is of type ir.GlobalVar\n"
            + "  at transform.RunPass(pass, module)",
        "transform.RunPass",
        "Normalize",
        ((List<?>) requireNonNull(call("ir.Module_GetGlobalVars", parsed()))).getFirst());
    refused(
        ErrorKind.TYPE,
        "element 1 of argument #0 is no pass\n"
            + "  expected: transform.Pass, the name of a pass, or a function from module to"
            + " module\n"
            + "  got: int\n"
            + "  at transform.Sequential(passes, opt_level, name, required, traceable)",
        "transform.Sequential",
        List.of("Normalize", 1L));
    refused(
        ErrorKind.TYPE,
        "relax.transform.Normalize() takes at most 0 arguments, but got 1\n"
            + "  at relax.transform.Normalize()",
        "relax.transform.Normalize",
        1);
    refused(
        ErrorKind.TYPE,
        "argument #1 must contain values of the class String, but has 7\n"
            + "  at relax.transform.LegalizeOps(customize_legalize_map, skip_ops, enable_warning)",
        "relax.transform.LegalizeOps",
        null,
        List.of(7L));
    refused(
        ErrorKind.VALUE,
        "argument #0 must be null, but is main: the pass rewrites all functions\n"
            + "  at relax.transform.DecomposeOpsForInference(func_name)",
        "relax.transform.DecomposeOpsForInference",
        "main");
    refused(
        ErrorKind.VALUE,
        "argument #2 must be an execution mode\n"
            + "  expected: bytecode, compiled\n"
            + "  got: fast\n"
            + "  at relax.build(module, pipeline, exec_mode)",
        "relax.build",
        parsed(),
        null,
        "fast");
    refused(
        ErrorKind.VALUE,
        "the module has no function 'other'\n"
            + "  it has: [main]\n"
            + "  at ir.Module_Lookup_str(module, name)",
        "ir.Module_Lookup_str",
        parsed(),
        "other");
    assertThatThrownBy(() -> call("relaxvm.module.parse", "class"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageEndingWith("\n  at relaxvm.module.parse(text)");
  }
}
