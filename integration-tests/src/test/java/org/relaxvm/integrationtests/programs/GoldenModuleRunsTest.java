package org.relaxvm.integrationtests.programs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.ModuleFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.objects.ModuleJson;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassPipeline;
import org.relaxvm.integrationtests.golden.Golden;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmBuilder;

/**
 * Modules that Apache TVM wrote as graphs are compiled, whatever passes they went through there,
 * and give what the evaluator gives.
 */
class GoldenModuleRunsTest {
  private static final long SEED = Long.getLong("relaxvm.seed", 1);

  private static IRModule module(String name) throws IOException {
    try (ZipFile zip = new ZipFile(Golden.require("json").resolve("modules.zip").toFile());
        InputStream in = zip.getInputStream(zip.getEntry(name + ".json"))) {
      return ModuleJson.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static List<Object> arguments(String name, RelaxFunction function) {
    if (name.equals("match-cast")) {
      return List.of(
          Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)),
          Shape.of(4, 5),
          Tensor.of(new int[] {7, 8}, Shape.of(2)));
    }
    Map<String, String> symbols = Map.of("n", "5", "d", "3", "p", "2");
    Map<String, String> values = Map.of("k", "below 4");
    return new ArrayList<>(new Inputs(symbols, values, new SplittableRandom(SEED)).of(function));
  }

  private static Object expected(String name, IRModule module, GlobalVar function) {
    Map<String, Function<List<Object>, Object>> host =
        new LinkedHashMap<>(HostFunctions.forEvaluator());
    host.put("my.dps", requireNonNull(host.get("corpus.negate")));
    return new RelaxEvaluator(module, host)
        .run(function.name(), arguments(name, (RelaxFunction) module.require(function)).toArray());
  }

  private static void settings(VmBuilder builder) {
    builder.fallbackToHost();
    builder.function("my.dps", requireNonNull(HostFunctions.forVm().get("corpus.negate")));
    for (String name : List.of("ext.one", "ext.two", "ext.three")) {
      builder.function(name, (args, result) -> result.setNull());
    }
  }

  /**
   * Compares what the public functions of a module give.
   *
   * @param source the module before all passes, which the evaluator runs
   * @return how many were compared
   */
  private static int check(String name, IRModule module, PassPipeline passes, IRModule source) {
    int compared = 0;
    try (BackendRegistry registry = BackendRegistry.discover();
        VirtualMachine vm =
            new Runner(registry, "cpu")
                .machine(
                    Compiler.compile(module, CompileOptions.DEFAULT.withPipeline(_ -> passes)),
                    GoldenModuleRunsTest::settings)) {
      for (Map.Entry<GlobalVar, ModuleFunction> entry : source.functions().entrySet()) {
        // The main function of externs-if takes closures of the caller.
        boolean isCalled =
            entry.getValue() instanceof RelaxFunction function
                && function.attrs().has(RelaxFunction.GLOBAL_SYMBOL)
                && !(name.equals("externs-if") && entry.getKey().name().equals("main"));
        if (isCalled) {
          Object expected = expected(name, source, entry.getKey());
          List<Object> args = arguments(name, (RelaxFunction) entry.getValue());
          try (Value actual = vm.function(entry.getKey().name()).call(args.toArray())) {
            new Agreement(0, 1e-2).check(expected, actual.object());
          }
          compared++;
        }
      }
    }
    return compared;
  }

  /** The passes that come after one of the original's pipeline. */
  private static PassPipeline after(String stage) {
    List<Pass> all = StandardPipelines.zero().then(StandardPipelines.lowering()).passes();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).name().equals(stage)) {
        return PassPipeline.of(all.subList(i + 1, all.size()));
      }
    }
    throw new AssertionError("no pass " + stage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "05-cnn", "06-control-flow"})
  void eachStageRuns(String name) throws IOException {
    IRModule source = module(name + ".00-source");
    Map<String, PassPipeline> stages = new LinkedHashMap<>();
    stages.put("00-source", StandardPipelines.standard());
    stages.put("zero", StandardPipelines.lowering());
    stages.put("default_build", PassPipeline.of(List.of()));
    for (String stage :
        List.of(
            "01-LegalizeOps",
            "05-FuseTIR",
            "09-CallTIRRewrite",
            "10-StaticPlanBlockMemory",
            "13-LowerRuntimeBuiltin",
            "16-AttachGlobalSymbol")) {
      stages.put(stage, after(stage.substring(3)));
    }
    Map<String, String> failures = new LinkedHashMap<>();
    for (Map.Entry<String, PassPipeline> stage : stages.entrySet()) {
      try {
        IRModule module = module(name + "." + stage.getKey());
        assertThat(check(name, module, stage.getValue(), source)).isPositive();
      } catch (RelaxException | AssertionError e) {
        failures.put(stage.getKey(), e + "");
      }
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void otherModulesRun() throws IOException {
    Map<String, String> failures = new LinkedHashMap<>();
    for (String name :
        List.of(
            "closures",
            "closures.lifted",
            "tuples",
            "match-cast",
            "module-attrs",
            "call-tir",
            "vdevice",
            "vdevice-made",
            "externs-if")) {
      IRModule module = module(name);
      try {
        assertThat(check(name, module, StandardPipelines.standard(), module)).isPositive();
      } catch (RelaxException | AssertionError e) {
        failures.put(name, e + "");
      }
    }
    assertThat(failures).isEmpty();
  }
}
