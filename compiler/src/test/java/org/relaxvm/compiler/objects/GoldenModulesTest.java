package org.relaxvm.compiler.objects;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.ObjectView;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.objects.compare.CompareOptions;
import org.relaxvm.objects.compare.StructuralEquality;
import org.relaxvm.objects.graph.ObjectGraph;

/** Modules that Apache TVM wrote are read, and written as equal objects. */
class GoldenModulesTest {
  private static final ObjectTypes TYPES = ObjectTypes.discover();

  /** Modules that Relax IR does not hold, and a part of the reason. */
  private static final Map<String, String> NOT_HELD =
      Map.of(
          "all-operators",
          "the operator relax.vision.non_max_suppression is not known",
          "shared-constant",
          "the symbolic variable n in R.Tensor((n * 2, 4), dtype=\"float32\") is not known here");

  /** Operators that RelaxVM does not have: collectives, and a suppression with other rules. */
  private static final List<String> UNKNOWN_OPERATORS =
      List.of(
          "ccl.allgather",
          "ccl.allreduce",
          "ccl.broadcast_from_worker0",
          "vision.non_max_suppression");

  /**
   * Operators whose calls in the module break a rule, and a part of the reason. The original builds
   * them without a check, and compiles none of them.
   */
  private static final Map<String, String> BROKEN_RULES =
      Map.of(
          "assert_op", "is pure, but the call",
          "bitwise_or", "must be of integers or booleans",
          "bitwise_xor", "must be of integers or booleans",
          "logical_and", "must be of booleans",
          "logical_or", "must be of booleans",
          "logical_xor", "must be of booleans",
          "memory.kill_storage", "is pure, but the call",
          "memory.kill_tensor", "is pure, but the call",
          "nn.attention_bias", "needs a causal_mask");

  private static Object root(String json) {
    return requireNonNull(ObjectGraph.parse(json, TYPES).root());
  }

  private static void comesBack(String name, Object root, IRModule module) {
    Object expected = GoldenModules.normalized(root, TYPES);
    ObjectNode written = ModuleObjects.write(module, TYPES);
    assertThat(StructuralEquality.firstMismatch(expected, written, TYPES, CompareOptions.DEFAULT))
        .as(name)
        .isEmpty();
    Object again = root(new ObjectGraph(written).toJson(TYPES));
    assertThat(StructuralEquality.firstMismatch(expected, again, TYPES, CompareOptions.DEFAULT))
        .as("%s as text", name)
        .isEmpty();
  }

  @Test
  void modulesComeBackAsEqualObjects() throws IOException {
    int held = 0;
    Map<String, String> refused = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : GoldenModules.files(".json").entrySet()) {
      Object root = root(file.getValue());
      IRModule module;
      try {
        module = ModuleObjects.read(root);
      } catch (InvalidProgramException e) {
        System.out.println(file.getKey() + " is not held: " + e.getMessage());
        refused.put(file.getKey(), e.getMessage());
        continue;
      }
      comesBack(file.getKey(), root, module);
      held++;
    }
    assertThat(refused.keySet()).isEqualTo(NOT_HELD.keySet());
    NOT_HELD.forEach((name, reason) -> assertThat(refused.get(name)).contains(reason));
    assertThat(held).isEqualTo(45);
  }

  @Test
  void modulesAreThoseOfTheirTexts() throws IOException {
    Map<String, String> scripts = GoldenModules.files(".py.txt");
    int compared = 0;
    for (Map.Entry<String, String> file : GoldenModules.files(".json").entrySet()) {
      String name = file.getKey();
      if (NOT_HELD.containsKey(name)) {
        System.out.println("not compared with its text: " + name);
        continue;
      }
      IRModule module = ModuleObjects.read(root(file.getValue()));
      IRModule text = GoldenModules.parse(name, requireNonNull(scripts.get(name)), TYPES);
      assertThat(org.relaxvm.compiler.rewrite.StructuralEquality.areEqual(module, text))
          .as(name)
          .isTrue();
      compared++;
    }
    assertThat(compared).isEqualTo(45);
  }

  @Test
  void callsOfEachOperatorComeBack() throws IOException {
    Object root = root(requireNonNull(GoldenModules.files(".json").get("all-operators")));
    ObjectView module = ObjectView.of(TYPES, root);
    Map<?, ?> functions = (Map<?, ?>) requireNonNull(module.get("functions"));
    Map<String, String> refused = new HashMap<>();
    int held = 0;
    for (Map.Entry<?, ?> function : functions.entrySet()) {
      Object one = module.with("functions", Map.of(function.getKey(), function.getValue()));
      String name = String.valueOf(ObjectView.of(TYPES, function.getKey()).get("name_hint"));
      try {
        IRModule read = ModuleObjects.read(one);
        comesBack(name, one, read);
        held++;
      } catch (InvalidProgramException e) {
        refused.put(name, e.getMessage());
      }
    }
    for (String operator : UNKNOWN_OPERATORS) {
      assertThat(refused.remove("op_" + operator.replace('.', '_')))
          .contains(".bindings[0].value.op: the operator relax." + operator + " is not known");
    }
    BROKEN_RULES.forEach(
        (operator, reason) ->
            assertThat(refused.remove("op_" + operator.replace('.', '_'))).contains(reason));
    assertThat(refused).isEmpty();
    assertThat(held).isEqualTo(138);
  }
}
