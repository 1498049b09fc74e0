package org.relaxvm.integrationtests.programs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.objects.ModuleObjects;
import org.relaxvm.integrationtests.golden.Golden;
import org.relaxvm.objects.graph.ObjectGraph;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** A call of each operator, as Apache TVM wrote it, gives what the evaluator gives. */
class GoldenOperatorsTest {
  private static final long SEED = Long.getLong("relaxvm.seed", 1);

  /** Arguments that are indices or else restricted, by the function and the parameter. */
  private static final Map<String, Map<String, String>> VALUES =
      Map.of(
          "op_dynamic_strided_slice", Map.of("a1", "below 2", "a2", "of 2 3", "a3", "of 1 2"),
          "op_gather_elements", Map.of("a1", "below 2"),
          "op_gather_nd", Map.of("a1", "below 2"),
          "op_grad_take_backward", Map.of("a2", "below 2"),
          "op_index_put", Map.of("a1", "below 2", "a2", "below 2"),
          "op_multinomial_from_uniform", Map.of("a2", "below 2"),
          "op_nn_nll_loss", Map.of("a1", "below 3"),
          "op_scatter_elements", Map.of("a1", "below 2"),
          "op_take", Map.of("a1", "below 2"));

  private static Map<String, Object> functions(ObjectTypes types) throws IOException {
    Path archive = Golden.require("json").resolve("modules.zip");
    try (ZipFile zip = new ZipFile(archive.toFile());
        InputStream in = zip.getInputStream(zip.getEntry("all-operators.json"))) {
      String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      ObjectView module =
          ObjectView.of(types, requireNonNull(ObjectGraph.parse(json, types).root()));
      Map<String, Object> modules = new TreeMap<>();
      ((Map<?, ?>) requireNonNull(module.get("functions")))
          .forEach(
              (name, function) ->
                  modules.put(
                      ObjectView.of(types, name).get("name_hint") + "",
                      module.with("functions", Map.of(name, function))));
      return modules;
    }
  }

  @Test
  void callsGiveWhatTheEvaluatorGives() throws IOException {
    System.out.println("GoldenOperatorsTest: -Drelaxvm.seed=" + SEED);
    Map<String, String> failures = new LinkedHashMap<>();
    int held = 0;
    int notHeld = 0;
    try (BackendRegistry registry = BackendRegistry.discover()) {
      Runner runner = new Runner(registry, "cpu");
      for (Map.Entry<String, Object> entry : functions(ObjectTypes.discover()).entrySet()) {
        IRModule module;
        try {
          module = ModuleObjects.read(entry.getValue());
        } catch (InvalidProgramException e) {
          notHeld++;
          continue;
        }
        held++;
        try {
          check(runner, entry.getKey(), module);
        } catch (RelaxException | AssertionError e) {
          failures.put(entry.getKey(), e + "");
        }
      }
    }
    System.out.println("GoldenOperatorsTest: " + held + " functions, " + notHeld + " not held");
    assertThat(failures).isEmpty();
    assertThat(held).isEqualTo(138);
  }

  private static void check(Runner runner, String name, IRModule module) {
    RelaxFunction function = (RelaxFunction) module.require(new GlobalVar(name));
    Map<String, String> values = VALUES.getOrDefault(name, Map.of());
    Object expected =
        new RelaxEvaluator(module, HostFunctions.forEvaluator())
            .run(name, arguments(function, values).toArray());
    try (VirtualMachine vm = runner.machine(Compiler.compile(module), builder -> {});
        Value actual = vm.function(name).call(arguments(function, values).toArray())) {
      new Agreement(0, 1e-2).check(expected, actual.object());
    }
  }

  private static List<Object> arguments(RelaxFunction function, Map<String, String> values) {
    return new ArrayList<>(new Inputs(Map.of(), values, new SplittableRandom(SEED)).of(function));
  }
}
