package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.pass.memory.PlanTexts.KERNELS;
import static org.relaxvm.compiler.pass.memory.PlanTexts.alloc;
import static org.relaxvm.compiler.pass.memory.PlanTexts.allocations;
import static org.relaxvm.compiler.pass.memory.PlanTexts.plan;
import static org.relaxvm.compiler.pass.memory.PlanTexts.planned;
import static org.relaxvm.compiler.pass.memory.PlanTexts.storage;
import static org.relaxvm.compiler.pass.memory.PlanTexts.tensor;
import static org.relaxvm.compiler.pass.memory.PlanTexts.unplanned;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.Programs;
import org.relaxvm.compiler.ir.Binding;
import org.relaxvm.compiler.ir.BindingBlock;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.SeqExpr;
import org.relaxvm.compiler.ir.VarBinding;
import org.relaxvm.compiler.pass.Stages;
import org.relaxvm.compiler.pass.fuse.LegalizeOps;
import org.relaxvm.compiler.pass.fuse.RewriteDataflowReshape;
import org.relaxvm.compiler.pass.lower.RemovePurityChecking;
import org.relaxvm.compiler.pass.lower.ToNonDataflow;

/** Which allocations share memory. */
class StaticPlanBlockMemoryTest {
  @Test
  void plansTheExampleOfTheSpecification() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor((2, 4), "float32")):
                    with R.dataflow():
                        lv = R.exp(x)
                        lv1 = R.reshape(lv, R.shape([8]))
                        lv2 = R.nn.relu(lv1)
                        lv3 = R.nn.pad(lv2, pad_width=[1, 1])
                        gv = R.log(lv3)
                        R.output(gv)
                    return gv
                """),
            new LegalizeOps(),
            new RewriteDataflowReshape(),
            new ToNonDataflow(),
            new RemovePurityChecking(),
            new CallTirRewrite(),
            new StaticPlanBlockMemory());
    assertThat(Stages.main(module))
        .containsExactly(
            storage("storage", "40"),
            tensor("alloc", "storage", "2, 4"),
            "_ = cls.tir_exp(x, alloc)",
            "lv = alloc",
            "lv1 = R.reshape(lv, R.shape([8]))",
            storage("storage1", "32"),
            tensor("alloc1", "storage1", "8"),
            "_1 = cls.relu(lv1, alloc1)",
            "lv2 = alloc1",
            tensor("alloc2", "storage", "10"),
            "_2 = cls.pad(lv2, alloc2)",
            "lv3 = alloc2",
            unplanned("alloc3", "10"),
            "_3 = cls.tir_log(lv3, alloc3)",
            "gv = alloc3",
            "return gv");
  }

  /** A chain of kernels after each other, of which the last result is returned. */
  private static String chain(String... shapes) {
    StringBuilder body = new StringBuilder();
    String before = "x";
    for (int i = 0; i < shapes.length; i++) {
      body.append("a").append(i).append(" = ").append(alloc(shapes[i])).append('\n');
      body.append("_ = cls.f(").append(before).append(", a").append(i).append(")\n");
      before = "a" + i;
    }
    return body.append("return ").append(before).append('\n').toString();
  }

  @Test
  void twoStoragesAreEnoughForAChain() {
    assertThat(plan("x: R.Tensor((8,), \"float32\")", chain("8", "8", "8", "8", "8")))
        .containsExactly(
            storage("storage", "32"),
            tensor("a0", "storage", "8"),
            storage("storage1", "32"),
            tensor("a1", "storage1", "8"),
            tensor("a2", "storage", "8"),
            tensor("a3", "storage1", "8"),
            unplanned("a4", "8"));
  }

  @Test
  void theSmallestStorageThatIsLargeEnoughIsTaken() {
    assertThat(
            plan(
                "x: R.Tensor((8,), \"float32\")",
                "a = "
                    + alloc("100")
                    + "\nb = "
                    + alloc("20")
                    + "\n_ = cls.f(x, a)\n_ = cls.f(a, b)\n"
                    + "_ = cls.f(b, a)\nc = "
                    + alloc("16")
                    + "\n_ = cls.f(x, c)\nreturn x\n"))
        .containsExactly(
            storage("storage", "400"),
            tensor("a", "storage", "100"),
            storage("storage1", "80"),
            tensor("b", "storage1", "20"),
            tensor("c", "storage1", "16"));
  }

  @Test
  void theLargestOfThoseThatAreTooSmallGrows() {
    assertThat(
            plan(
                "x: R.Tensor((8,), \"float32\")",
                "a = "
                    + alloc("10")
                    + "\nb = "
                    + alloc("20")
                    + "\n_ = cls.f(x, a)\n_ = cls.f(a, b)\n"
                    + "_ = cls.f(b, a)\nc = "
                    + alloc("30")
                    + "\n_ = cls.f(x, c)\nreturn x\n"))
        .containsExactly(
            storage("storage", "40"),
            tensor("a", "storage", "10"),
            storage("storage1", "120"),
            tensor("b", "storage1", "20"),
            tensor("c", "storage1", "30"));
  }

  @Test
  void aStorageIsAtMostSixteenTimesLargerOrSmaller() {
    for (String[] pair : new String[][] {{"16", "1"}, {"1", "16"}}) {
      assertThat(plan("x: R.Tensor((8,), \"float32\")", two(pair[0], pair[1])))
          .containsExactly(
              storage("storage", "64"),
              tensor("a", "storage", pair[0]),
              tensor("b", "storage", pair[1]));
    }
    for (String[] pair : new String[][] {{"17", "1"}, {"1", "20"}}) {
      assertThat(plan("x: R.Tensor((8,), \"float32\")", two(pair[0], pair[1])))
          .containsExactly(
              storage("storage", 4 * Integer.parseInt(pair[0]) + ""),
              tensor("a", "storage", pair[0]),
              storage("storage1", 4 * Integer.parseInt(pair[1]) + ""),
              tensor("b", "storage1", pair[1]));
    }
  }

  /** Two allocations of which the first is not used any more when the second begins. */
  private static String two(String first, String second) {
    return two(alloc(first), alloc(second), "");
  }

  private static String two(String first, String second, String between) {
    return "a = "
        + first
        + "\n_ = cls.f(x, a)\n"
        + between
        + "b = "
        + second
        + "\n_ = cls.f(x, b)\nreturn x\n";
  }

  @Test
  void memoryOfAnotherDtypeOrScopeIsNotShared() {
    assertThat(
            plan(
                "x: R.Tensor((8,), \"float32\")",
                two(alloc("8"), alloc("8", "float32", "local"), "")))
        .containsExactly(
            storage("storage", "32"),
            tensor("a", "storage", "8"),
            storage("storage1", "32", "float32", "local"),
            tensor("b", "storage1", "8"));
    String body =
        "a = "
            + alloc("8")
            + "\n_ = R.call_packed(\"k\", x, a, ty_args=(R.Tuple(),))\nb = "
            + alloc("8", "int32", "global")
            + "\n_ = R.call_packed(\"k\", x, b, ty_args=(R.Tuple(),))\nreturn x\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
        .containsExactly(
            storage("storage", "32"),
            tensor("a", "storage", "8"),
            storage("storage1", "32", "int32", "global"),
            tensor("b", "storage1", "8", "int32"));
  }

  @Test
  void whatNobodyUsesHasMemoryOfItsOwn() {
    String body =
        "a = "
            + alloc("8")
            + "\n_ = cls.f(x, a)\nb = "
            + alloc("8")
            + "\nc = "
            + alloc("8")
            + "\n_ = cls.f(x, c)\nreturn x\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
        .containsExactly(
            storage("storage", "32"),
            tensor("a", "storage", "8"),
            storage("storage1", "32"),
            tensor("b", "storage1", "8"),
            tensor("c", "storage", "8"));
  }

  @Test
  void aViewKeepsItsMemoryInUse() {
    for (String view :
        new String[] {
          "v = R.reshape(a, R.shape([2, 4]))\nw = R.reshape(v, R.shape([8]))\n",
          "w = R.memory.view(a, R.shape([8]), R.tuple(), R.tuple())\n",
          "w = R.memory.ensure_zero_offset(a)\n",
          "w = R.call_packed(\"vm.builtin.reshape\", a, R.shape([8]), ty_args=(R.Tensor((8,),"
              + " \"float32\"),))\n",
          "t = (a, x)\nw = t[0]\n",
          "t = ((x, a), x)\nu = t[0]\nw = u[1]\n",
          "w = R.match_cast(a, R.Tensor((8,), \"float32\"))\n"
        }) {
      String body =
          "a = "
              + alloc("8")
              + "\n_ = cls.f(x, a)\n"
              + view
              + "b = "
              + alloc("8")
              + "\n_ = cls.f(w, b)\nc = "
              + alloc("8")
              + "\n_ = cls.f(b, c)\nreturn x\n";
      assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
          .as(view)
          .containsExactly(
              storage("storage", "32"),
              tensor("a", "storage", "8"),
              storage("storage1", "32"),
              tensor("b", "storage1", "8"),
              tensor("c", "storage", "8"));
    }
  }

  @Test
  void onlyThePartOfATupleThatIsUsedStaysInUse() {
    String body =
        "a = "
            + alloc("8")
            + "\nb = "
            + alloc("8")
            + "\n_ = cls.f(x, a)\n_ = cls.f(x, b)\n"
            + "t = (a, b)\nw = t[1]\nc = "
            + alloc("8")
            + "\n_ = cls.f(w, c)\nreturn x\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
        .last()
        .isEqualTo(tensor("c", "storage", "8"));
  }

  @Test
  void whatLeavesTheFunctionIsNotPlanned() {
    for (String result : new String[] {"a", "(x, (a, x))", "R.reshape(a, R.shape([2, 4]))"}) {
      String body = "a = " + alloc("8") + "\n_ = cls.f(x, a)\nreturn " + result + "\n";
      assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
          .as(result)
          .containsExactly(unplanned("a", "8"));
    }
  }

  @Test
  void whatABranchDependsOnOrGivesIsNotPlanned() {
    String body =
        "a = "
            + alloc("8")
            + "\n_ = cls.f(x, a)\nif c:\n    b = "
            + alloc("8")
            + "\n    _ = cls.f(x, b)\n    r = b\nelse:\n    r = a\nreturn r\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\"), c: R.Tensor((), \"bool\")", body))
        .containsExactly(unplanned("a", "8"), "  " + unplanned("b", "8"));
    String condition =
        "c = "
            + alloc("", "bool", "global")
            + "\n_ = R.call_packed(\"k\", x, c, ty_args=(R.Tuple(),))\n"
            + "if c:\n    r = x\nelse:\n    r = x\nreturn r\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\")", condition))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("c = R.builtin.alloc_tensor(R.shape([])");
  }

  @Test
  void branchesHavePlansOfTheirOwn() {
    String body =
        "a = "
            + alloc("8")
            + "\n_ = cls.f(x, a)\nif c:\n    b = "
            + alloc("8")
            + "\n    _ = cls.f(x, b)\n    d = "
            + alloc("8")
            + "\n    _ = cls.f(x, d)\n    r = x\nelse:\n    r = x\ne = "
            + alloc("8")
            + "\n_ = cls.f(x, e)\nreturn r\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\"), c: R.Tensor((), \"bool\")", body))
        .containsExactly(
            storage("storage", "32"),
            tensor("a", "storage", "8"),
            "  " + storage("storage1", "32"),
            "  " + tensor("b", "storage1", "8"),
            "  " + tensor("d", "storage1", "8"),
            tensor("e", "storage", "8"));
  }

  @Test
  void whatAnotherBlockUsesIsNotPlanned() {
    String body =
        "a = "
            + alloc("8")
            + "\n_ = cls.f(x, a)\nif c:\n    _ = cls.f(a, y)\n    r = x\nelse:\n"
            + "    r = x\nreturn r\n";
    assertThat(
            plan(
                "x: R.Tensor((8,), \"float32\"), y: R.Tensor((8,), \"float32\"), c: R.Tensor((),"
                    + " \"bool\")",
                body))
        .containsExactly(unplanned("a", "8"));
  }

  @Test
  void whatAFunctionOverTensorsGetsIsNotPlanned() {
    IRModule module =
        planned(
            "@R.function(private=True, pure=False)\n"
                + "def id(x: R.Tensor((8,), \"float32\")) -> R.Tensor((8,), \"float32\"):\n"
                + "    return x\n\n"
                + "@R.function(pure=False)\n"
                + "def main(x: R.Tensor((8,), \"float32\")):\n"
                + "    a = "
                + alloc("8")
                + "\n    _ = cls.f(x, a)\n    b = cls.id(a)\n    return b\n");
    assertThat(allocations(module)).containsExactly(unplanned("a", "8"));
  }

  @Test
  void aPackedFunctionWithoutAResultKeepsNothing() {
    String body =
        two(alloc("8"), alloc("8"), "_ = R.call_packed(\"k\", a, ty_args=(R.Tuple(),))\n");
    assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
        .containsExactly(
            storage("storage", "32"), tensor("a", "storage", "8"), tensor("b", "storage", "8"));
  }

  @Test
  void aPackedFunctionWithAResultMightGiveItsArgument() {
    String body =
        two(alloc("8"), alloc("8"), "r = R.call_packed(\"k\", a, ty_args=(R.Tensor(),))\n");
    assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
        .containsExactly(
            unplanned("a", "8"), storage("storage", "32"), tensor("b", "storage", "8"));
  }

  @Test
  void parametersAreNoMemoryToShare() {
    String body = "_ = cls.f(x, y)\na = " + alloc("8") + "\n_ = cls.f(y, a)\nreturn x\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\"), y: R.Tensor((8,), \"float32\")", body))
        .containsExactly(storage("storage", "32"), tensor("a", "storage", "8"));
  }

  @Test
  void symbolicSizesAreSharedWhereTheyAreEqual() {
    String params = "x: R.Tensor((\"n\",), \"float32\")";
    assertThat(plan(params, two("n + n", "2 * n")))
        .containsExactly(
            storage("storage", "4 * (n + n)"),
            tensor("a", "storage", "n + n"),
            tensor("b", "storage", "2 * n"));
    assertThat(plan(params, two("n", "n + 1")))
        .containsExactly(
            storage("storage", "4 * n"),
            tensor("a", "storage", "n"),
            storage("storage1", "4 * (n + 1)"),
            tensor("b", "storage1", "n + 1"));
    assertThat(plan(params, two("n", "8"))).hasSize(4);
  }

  @Test
  void theConstantFactorOfASizeStandsInFront() {
    String body =
        "a = "
            + alloc("n, 128")
            + "\nb = "
            + alloc("3, n, 2, n")
            + "\n_ = R.call_packed(\"k\", a, b, ty_args=(R.Tuple(),))\nreturn x\n";
    assertThat(plan("x: R.Tensor((\"n\",), \"float32\")", body))
        .contains(storage("storage", "512 * n"), storage("storage1", "24 * n * n"));
  }

  private static String bounded(String bounds, String body) {
    return "@R.function(pure=False)\ndef main(x: R.Tensor((\"n\",), \"float32\"), y:"
        + " R.Tensor((\"m\",), \"float32\")):\n    R.func_attr({"
        + bounds
        + "})\n"
        + body.indent(4);
  }

  @Test
  void boundedSizesAreAsLargeAsTheyCanBe() {
    String body = two("n", "n * 2");
    assertThat(allocations(planned(bounded("\"tir_var_upper_bound\": {\"n\": 16}", body))))
        .containsExactly(
            storage("storage", "128"),
            tensor("a", "storage", "n"),
            tensor("b", "storage", "n * 2"));
  }

  @Test
  void whatOtherVariablesSayStaysSymbolic() {
    assertThat(
            allocations(
                planned(bounded("\"tir_var_upper_bound\": {\"n\": 16}", two("n * m", "n + m")))))
        .containsExactly(
            storage("storage", "4 * (m * 16)"),
            tensor("a", "storage", "n * m"),
            storage("storage1", "4 * (m + 16)"),
            tensor("b", "storage1", "n + m"));
  }

  @Test
  void aFallingSizeIsLargestWhereItsVariableIsSmallest() {
    String body = two("20 - n", "(20 - n) * 2");
    assertThat(
            allocations(
                planned(
                    bounded(
                        "\"tir_var_upper_bound\": {\"n\": 16}, \"tir_var_lower_bound\": {\"n\": 4}",
                        body))))
        .containsExactly(
            storage("storage", "128"),
            tensor("a", "storage", "20 - n"),
            tensor("b", "storage", "(20 - n) * 2"));
    assertThat(allocations(planned(bounded("\"tir_var_upper_bound\": {\"n\": 16}", body))))
        .first()
        .isEqualTo(storage("storage", "160"));
  }

  @Test
  void resultsOfSymbolicShapeArePlannedWhereTheFunctionSaysSo() {
    String body =
        "a = "
            + alloc("n")
            + "\n_ = cls.f(x, a)\nb = "
            + alloc("8")
            + "\n_ = cls.f(x, b)\nreturn (a, b)\n";
    IRModule module =
        planned(
            bounded(
                "\"tir_var_upper_bound\": {\"n\": 16}, \"relax.memory_plan_dynamic_func_output\":"
                    + " True",
                body));
    assertThat(allocations(module))
        .containsExactly(
            storage("storage", "64"), tensor("a", "storage", "n"), unplanned("b", "8"));
    assertThat(Programs.main(module).attrs().values())
        .doesNotContainKey(StaticPlanBlockMemory.PLAN_DYNAMIC_OUTPUT)
        .containsKey("tir_var_upper_bound");
  }

  @Test
  void functionsShareNothing() {
    String function = "(x: R.Tensor((8,), \"float32\")):\n" + (two("8", "4")).indent(4) + "\n";
    IRModule module =
        planned(
            "@R.function(pure=False)\ndef main"
                + function
                + "@R.function(pure=False)\ndef other"
                + function);
    List<String> expected =
        List.of(storage("storage", "32"), tensor("a", "storage", "8"), tensor("b", "storage", "4"));
    assertThat(allocations(module)).isEqualTo(expected);
    assertThat(Stages.lines(module, "other").stream().filter(line -> line.contains("alloc")))
        .isEqualTo(expected);
  }

  @Test
  void aTensorWithoutAxesHasOneElement() {
    assertThat(
            plan(
                "x: R.Tensor((8,), \"float32\")",
                "a = "
                    + alloc("")
                    + "\n_ = R.call_packed(\"k\", a, ty_args=(R.Tuple(),))\nreturn"
                    + " x\n"))
        .containsExactly(storage("storage", "4"), tensor("a", "storage", ""));
  }

  @Test
  void smallElementsShareBytes() {
    String body =
        "a = "
            + alloc("5", "int4", "global")
            + "\n_ = R.call_packed(\"k\", a,"
            + " ty_args=(R.Tuple(),))\nreturn x\n";
    assertThat(plan("x: R.Tensor((8,), \"float32\")", body))
        .first()
        .isEqualTo(storage("storage", "3", "int4", "global"));
  }

  @Test
  void twoBindingsOfOneCallAreTwoAllocations() {
    IRModule module =
        Stages.parse(
            KERNELS
                + "@R.function(pure=False)\ndef main(x: R.Tensor((8,), \"float32\")):\n    a = "
                + alloc("8")
                + "\n    b = "
                + alloc("8")
                + "\n"
                + "    _ = cls.f(x, a)\n"
                + "    _ = cls.f(x, b)\n"
                + "    _ = cls.f(a, b)\n"
                + "    return x\n");
    RelaxFunction main = Programs.main(module);
    List<Binding> bindings = new ArrayList<>(main.body().bindings().toList());
    bindings.set(1, new VarBinding(bindings.get(1).var(), bindings.getFirst().value()));
    SeqExpr body =
        new SeqExpr(
            List.of(new BindingBlock(bindings, false)),
            main.body().body(),
            main.body().knownType());
    IRModule shared = module.with(new GlobalVar("main"), main.withBody(body, main.resultType()));
    assertThat(allocations(Stages.run(shared, new StaticPlanBlockMemory())))
        .containsExactly(
            storage("storage", "32"),
            tensor("a", "storage", "8"),
            storage("storage1", "32"),
            tensor("b", "storage1", "8"));
  }
}
