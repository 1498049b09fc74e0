package org.relaxvm.compiler.pass.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.pass.Stages;
import org.relaxvm.tir.text.TirText;

/** Groups become kernels. */
class FuseTIRTest {
  private static final String ADD =
      """
      @T.prim_func(private=True)
      def add(A: T.Buffer((m,), "float32"), B: T.Buffer((m,), "float32"), C: T.Buffer((m,), "float32")):
          for i in T.grid(m):
              with T.block("sum"):
                  vi = T.axis.remap("S", [i])
                  T.reads(A[vi], B[vi])
                  T.writes(C[vi])
                  C[vi] = A[vi] + B[vi]

      @T.prim_func(private=True)
      def both(A: T.Buffer((m,), "float32"), B: T.Buffer((m,), "float32"), C: T.Buffer((m,), "float32")):
          for i in T.grid(m):
              with T.block("both"):
                  vi = T.axis.remap("S", [i])
                  T.reads(A[vi])
                  T.writes(B[vi], C[vi])
                  B[vi] = A[vi] * T.float32(2)
                  C[vi] = A[vi] * T.float32(3)

      @T.prim_func(private=True)
      def half(A: T.Buffer((m,), "float32")):
          for i in T.grid(m):
              with T.block("half"):
                  vi = T.axis.remap("S", [i])
                  T.reads(A[vi])
                  T.writes(A[vi])
                  A[vi] = A[vi] * T.float32(0.5)

      """;

  /** A group and a function that calls it. */
  private static IRModule module(String params, String group, String main) {
    return Stages.parse(
        ADD
            + "@R.function(private=True)\ndef fused("
            + params
            + "):\n    R.func_attr({\"Primitive\": True})\n    with R.dataflow():\n"
            + group.indent(8)
            + "        R.output(gv)\n    return gv\n\n"
            + "@R.function\ndef main"
            + main);
  }

  private static IRModule fused(IRModule module) {
    return Stages.run(module, new FuseTIR());
  }

  private static final String VECTOR = "R.Tensor((\"n\",), \"float32\")";
  private static final String SUM = "out_ty=R.Tensor((n,), dtype=\"float32\")";

  @Test
  void intermediateResultsAreMemoryOfTheKernel() {
    IRModule module =
        fused(
            module(
                "a: " + VECTOR + ", b: " + VECTOR,
                """
                lv = R.call_tir(cls.add, (a, b), out_ty=R.Tensor((n,), dtype="float32"))
                gv = R.call_tir(cls.add, (lv, a), out_ty=R.Tensor((n,), dtype="float32"))
                """,
                "(x: " + VECTOR + "):\n    gv = cls.fused(x, x)\n    return gv\n"));
    assertThat(Stages.main(module))
        .containsExactly("gv = R.call_tir(cls.fused, (x, x))", "return gv");
    assertThat(Stages.names(module)).containsExactly("fused", "main");
    assertThat(TirText.print(((KernelFunction) module.require(new GlobalVar("fused"))).kernel()))
        .contains("C_intermediate = T.alloc_buffer((n,), \"float32\")")
        .contains("with T.block(\"sum\"):", "with T.block(\"sum_1\"):")
        .contains("C_intermediate[vi] = a[vi] + b[vi]")
        .contains("p_output0[vi] = C_intermediate[vi] + a[vi]");
  }

  @Test
  void aKernelHasAnOutputForEachResult() {
    IRModule module =
        fused(
            module(
                "a: " + VECTOR,
                """
                lv = R.call_tir(cls.both, (a,), out_ty=[R.Tensor((n,), dtype="float32"), R.Tensor((n,), dtype="float32")])
                lv1 = lv[0]
                lv2 = lv[1]
                lv3 = R.call_tir(cls.add, (lv1, lv2), out_ty=R.Tensor((n,), dtype="float32"))
                gv = (lv3, (lv1, lv2))
                """,
                "(x: " + VECTOR + "):\n    gv = cls.fused(x)\n    return gv\n"));
    assertThat(Stages.main(module))
        .containsExactly("gv = R.call_tir(cls.fused, (x,))", "return gv");
    List<?> result =
        (List<?>)
            new RelaxEvaluator(module).run("main", Tensor.of(new float[] {1, 2}, Shape.of(2)));
    assertThat(((Tensor) result.get(0)).toFloatArray()).containsExactly(5, 10);
    assertThat(((Tensor) ((List<?>) result.get(1)).get(0)).toFloatArray()).containsExactly(2, 4);
    assertThat(((Tensor) ((List<?>) result.get(1)).get(1)).toFloatArray()).containsExactly(3, 6);
  }

  @Test
  void tuplesThatAGroupGetsAreSpread() {
    IRModule module =
        fused(
            module(
                "t: R.Tuple(" + VECTOR + ", R.Tensor((n,), \"float32\"))",
                """
                lv = t[0]
                lv1 = t[1]
                gv = R.call_tir(cls.add, (lv, lv1), out_ty=R.Tensor((n,), dtype="float32"))
                """,
                "(t: R.Tuple("
                    + VECTOR
                    + ", R.Tensor((n,), \"float32\"))):\n"
                    + "    out = cls.fused(t)\n"
                    + "    return out\n"));
    assertThat(Stages.main(module))
        .containsExactly(
            "gv = t[0]", "gv1 = t[1]", "out = R.call_tir(cls.fused, (gv, gv1))", "return out");
  }

  @Test
  void parametersThatNobodyUsesGo() {
    IRModule module =
        fused(
            module(
                "a: "
                    + VECTOR
                    + ", b: R.Tensor((n,), \"float32\"), c: R.Tensor((\"k\",),"
                    + " \"float32\")",
                "gv = R.call_tir(cls.add, (a, a), " + SUM + ")\n",
                "(x: " + VECTOR + "):\n    gv = cls.fused(x, x, x)\n    return gv\n"));
    // The last one is the only one that says k.
    assertThat(Stages.main(module))
        .containsExactly("gv = R.call_tir(cls.fused, (x, x))", "return gv");
  }

  @Test
  void anOutputThatOverwritesAnInputStaysThere() {
    IRModule module =
        fused(
            module(
                "a: " + VECTOR + ", b: R.Tensor((n,), \"float32\")",
                """
                lv = R.call_tir(cls.add, (a, b), out_ty=R.Tensor((n,), dtype="float32"))
                gv = R.call_tir_inplace(cls.half, (b,), out_ty=R.Tensor((n,), dtype="float32"), inplace_indices=[0])
                """,
                "(x: "
                    + VECTOR
                    + ", y: R.Tensor((n,), \"float32\")):\n"
                    + "    gv = cls.fused(x, y)\n"
                    + "    return gv\n"));
    assertThat(Stages.main(module))
        .containsExactly(
            "gv = R.call_tir_inplace(cls.fused, (x, y), inplace_indices=[1])", "return gv");
  }

  @Test
  void sizesAreScalarsAmongTheInputsOrAfterTheOutputs() {
    IRModule legal =
        Stages.parse(
            """
            @R.function
            def main(s: R.Shape(["n", "m"])):
                with R.dataflow():
                    lv = R.ones((m, n), "float32")
                    gv = R.exp(lv)
                    R.output(gv)
                return gv
            """);
    assertThat(Stages.main(Stages.fused(legal)).get(1))
        .isEqualTo("  gv = R.call_tir(cls.fused_ones_tir_exp, (R.prim_value(m), R.prim_value(n)))");
    PassContext trailing = PassContext.DEFAULT.withScalars(ScalarConvention.TRAILING);
    IRModule after = Stages.fused(Stages.legal(legal, trailing), trailing);
    assertThat(Stages.main(after).get(1))
        .isEqualTo("  gv = R.call_tir(cls.fused_ones_tir_exp, (), R.shape([m, n]))");
    Tensor result = (Tensor) new RelaxEvaluator(after).run("main", Shape.of(2, 3));
    assertThat(result.shape()).isEqualTo(Shape.of(3, 2));
  }

  @Test
  void programsWithoutGroupsLoseOnlyKernelsThatNobodyCalls() {
    IRModule module =
        Stages.parse(
            ADD
                + "@R.function\ndef main(x: "
                + VECTOR
                + "):\n    gv = R.call_tir(cls.add, (x, x), "
                + SUM
                + ")\n    return gv\n");
    IRModule after = new FuseTIR().run(module, PassContext.DEFAULT);
    assertThat(after.functions().keySet())
        .extracting(GlobalVar::name)
        .containsExactly("add", "main");
    after.functions().forEach((name, kept) -> assertThat(kept).isEqualTo(module.require(name)));
  }

  private static void refused(IRModule module, String message) {
    assertThatThrownBy(() -> fused(module))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(message + "\n  at function fused\n  at pass FuseTIR");
  }

  private static final String MAIN = "(x: " + VECTOR + "):\n    gv = cls.fused(x)\n    return gv\n";

  @Test
  void aGroupHasNoMatchCast() {
    refused(
        module(
            "a: " + VECTOR,
            "lv = R.match_cast(a, R.Tensor((4,), \"float32\"))\n"
                + "gv = R.call_tir(cls.add, (lv, lv), out_ty=R.Tensor((4,), dtype=\"float32\"))\n",
            MAIN),
        "a group has calls of kernels and parts of tuples only, but also has lv = R.match_cast(a,"
            + " R.Tensor((4,), dtype=\"float32\"))");
  }

  @Test
  void aGroupHasNoConstant() {
    refused(
        module(
            "a: R.Tensor((2,), \"float32\")",
            "gv = R.call_tir(cls.add, (a, R.const([1, 2], \"float32\")), out_ty=R.Tensor((2,),"
                + " dtype=\"float32\"))\n",
            "(x: R.Tensor((2,), \"float32\")):\n    gv = cls.fused(x)\n    return gv\n"),
        "a group cannot have R.const(R.Tensor((2,), dtype=\"float32\"))\n"
            + "  what to do: make it a parameter");
  }

  @Test
  void theTensorsOfAGroupHaveKnownShapes() {
    refused(
        module(
            "a: R.Tensor(dtype=\"float32\", ndim=1)",
            "gv = R.call_tir(cls.add, (a, a), out_ty=R.Tensor((4,), dtype=\"float32\"))\n",
            MAIN),
        "the parameter a of a group must be a tensor of known shape and dtype, but is"
            + " R.Tensor(dtype=\"float32\", ndim=1)");
  }

  @Test
  void theShapesOfAGroupAreVariables() {
    refused(
        module(
            "a: " + VECTOR + ", s: R.Shape([n * 2, \"k\"])",
            "gv = R.call_tir(cls.add, (a, a), " + SUM + ")\n",
            "(x: " + VECTOR + "):\n    gv = cls.fused(x, R.shape([n * 2, 3]))\n    return gv\n"),
        "the parameter s of a group must be a shape whose extents are variables, but is"
            + " R.Shape([n * 2, k])");
  }

  @Test
  void aGroupGetsNoOtherValues() {
    refused(
        module("a: R.Any", "lv = a\ngv = lv\n", MAIN),
        "the parameter a of a group must be a tensor, a scalar, a shape or a tuple, but is R.Any");
  }

  @Test
  void aGroupCallsKernelsOfTheModule() {
    IRModule right =
        module("a: " + VECTOR, "gv = R.call_tir(cls.add, (a, a), " + SUM + ")\n", MAIN);
    IRModule without =
        right.with(
            new GlobalVar("add"),
            ((RelaxFunction) right.require(new GlobalVar("main"))).withAttrs(Attrs.NONE));
    assertThatThrownBy(() -> new FuseTIR().run(without, PassContext.DEFAULT))
        .hasMessage(
            "a group calls kernels of the module, but R.call_tir(cls.add, (a, a)) does not\n"
                + "  at function fused");
  }
}
