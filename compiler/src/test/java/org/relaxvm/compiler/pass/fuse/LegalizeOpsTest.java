package org.relaxvm.compiler.pass.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.KernelCalls.KernelBody;
import org.relaxvm.compiler.op.Legalizer;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.elementwise.Functions;
import org.relaxvm.compiler.op.shape.Joins;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.pass.ScalarConvention;
import org.relaxvm.compiler.pass.Stages;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.text.TirText;

/** Calls of operators become calls of kernels. */
class LegalizeOpsTest {
  private static final String ADD =
      """
      @R.function
      def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4,), "float32")):
          out = R.add(x, y)
          return out
      """;

  private static LegalizeOps with(String op, Legalizer legalizer) {
    return new LegalizeOps(Map.of(op, legalizer), Set.of());
  }

  @Test
  void aCallBecomesOneOfAKernel() {
    IRModule module = Stages.run(Stages.parse(ADD), new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly("out = R.call_tir(cls.add, (x, y))", "return out");
    KernelFunction add = (KernelFunction) module.require(new GlobalVar("add"));
    assertThat(TirText.print(add.kernel())).contains("T_add[v_i0, v_i1] = A[v_i0, v_i1] + B[v_i1]");
  }

  @Test
  void equalKernelsAreOneAndOthersGetNumbers() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor(("n",), "float32"), y: R.Tensor(("m",), "float32"), z: R.Tensor((3,), "float32")):
                    a = R.exp(x)
                    b = R.exp(y)
                    c = R.exp(z)
                    return (a, b, c)
                """),
            new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly(
            "a = R.call_tir(cls.tir_exp, (x,))",
            "b = R.call_tir(cls.tir_exp, (y,))",
            "c = R.call_tir(cls.tir_exp1, (z,))",
            "return (a, b, c)");
  }

  @Test
  void aCallOfUnknownShapeStays() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor(dtype="float32", ndim=2), y: R.Tensor(("n",))):
                    gv = R.exp(x)
                    gv1 = R.add(y, y)
                    return (gv, gv1)
                """),
            new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly("gv = R.exp(x)", "gv1 = R.add(y, y)", "return (gv, gv1)");
  }

  @Test
  void aResultThatDependsOnDataIsLeftToItsPackedFunction() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    gv = R.nonzero(x)
                    return gv
                """),
            new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly(
            "gv = R.call_pure_packed(R.ExternFunc(\"relax.run.nonzero\"), x)", "return gv");
  }

  @Test
  void anImpureOperatorBecomesACallOfItsPackedFunction() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function(pure=False)
                def main(x: R.Tensor((), "bool")):
                    gv = R.assert_op(x)
                    return x
                """),
            new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly("gv = R.call_packed(\"relax.run.assert_op\", x)", "return x");
  }

  @Test
  void aLegalizerOfAPassWins() {
    LegalizeOps pass =
        with("add", (call, kernels) -> Arithmetic.multiply(call.arg(0), call.arg(1)));
    assertThat(Stages.main(Stages.run(Stages.parse(ADD), pass)))
        .containsExactly("out = R.call_tir(cls.multiply, (x, y))", "return out");
  }

  @Test
  void whatStandsInsideOfTheResultOfALegalizerIsLegalizedToo() {
    LegalizeOps nested =
        with(
            "add",
            (call, kernels) ->
                Arithmetic.multiply(Functions.exp(call.arg(0)), Functions.sin(call.arg(1))));
    assertThat(Stages.main(Stages.run(Stages.parse(ADD), nested)))
        .containsExactly(
            "gv = R.call_tir(cls.tir_exp, (x,))",
            "gv1 = R.call_tir(cls.tir_sin, (y,))",
            "out = R.call_tir(cls.multiply, (gv, gv1))",
            "return out");
  }

  @Test
  void argumentsOfAnotherKindThanALegalizerAsksForAreRefused() {
    LegalizeOps wrong =
        with(
            "exp",
            (call, kernels) ->
                kernels.call("exp", call, KernelBody.one((k, in) -> in.tensors(0).getFirst())));
    IRModule module =
        Stages.parse(
            """
            @R.function
            def main(x: R.Tensor((4,), "float32")):
                out = R.exp(x)
                return out
            """);
    assertThatThrownBy(() -> Stages.run(module, wrong))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the kernel of the operator needs a tuple of tensors as argument 0, but there is a"
                + " tensor\n"
                + "  what to do: ask for arguments in the legalizer as the operator takes them\n"
                + "  at function main, out = R.exp(x)\n"
                + "  at pass LegalizeOps");
  }

  @Test
  void whatStandsInTuplesIsLegalizedToo() {
    LegalizeOps inTuple =
        with(
            "exp",
            (call, kernels) -> Joins.concat(Tuple.of(Functions.sin(call.arg(0)), call.arg(0)), 0));
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor((4,), "float32")):
                    out = R.exp(x)
                    return out
                """),
            inTuple);
    assertThat(Stages.main(module))
        .containsExactly(
            "gv = R.call_tir(cls.tir_sin, (x,))",
            "out = R.call_tir(cls.concatenate, (gv, x))",
            "return out");
  }

  @Test
  void whatALegalizerBindsIsLegalizedToo() {
    LegalizeOps bound =
        with("add", (call, kernels) -> Functions.sin(kernels.emit(Functions.exp(call.arg(0)))));
    assertThat(Stages.main(Stages.run(Stages.parse(ADD), bound)))
        .containsExactly(
            "gv = R.call_tir(cls.tir_exp, (x,))",
            "out = R.call_tir(cls.tir_sin, (gv,))",
            "return out");
  }

  @Test
  void aPackedFunctionThatReplacesAPureOperatorStaysPure() {
    LegalizeOps packed =
        with(
            "add",
            (call, kernels) ->
                Call.packed("my.add", call.call().args(), List.of(call.call().type())));
    assertThat(Stages.main(Stages.run(Stages.parse(ADD), packed)))
        .containsExactly("out = R.call_pure_packed(R.ExternFunc(\"my.add\"), x, y)", "return out");
  }

  @Test
  void operatorsThatAreSkippedStay() {
    LegalizeOps pass = new LegalizeOps(Map.of(), Set.of("add"));
    assertThat(Stages.main(Stages.run(Stages.parse(ADD), pass)))
        .containsExactly("out = R.add(x, y)", "return out");
  }

  @Test
  void theSizesThatNoTensorSaysAreScalarsAmongTheInputs() {
    IRModule module = Stages.run(Stages.parse(ARANGE), new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly("gv = R.call_tir(cls.arange, (R.prim_value(n),))", "return gv");
  }

  @Test
  void theSizesThatNoTensorSaysAreScalarsAfterTheOutputs() {
    IRModule module =
        Stages.run(
            Stages.parse(ARANGE),
            PassContext.DEFAULT.withScalars(ScalarConvention.TRAILING),
            new LegalizeOps());
    assertThat(Stages.main(module))
        .containsExactly("gv = R.call_tir(cls.arange, (), R.shape([n]))", "return gv");
  }

  private static final String ARANGE =
      """
      @R.function
      def main(s: R.Shape(["n"])):
          gv = R.arange(R.prim_value(0), R.prim_value(n * 2), R.prim_value(1), dtype="int64")
          return gv
      """;

  @Test
  void outputsSayTheirExtentsThemselves() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(x: R.Tensor(("d", "p"), "int32")):
                    gv = R.ones((d, p), "int32")
                    return gv
                """),
            new LegalizeOps());
    assertThat(Stages.main(module)).containsExactly("gv = R.call_tir(cls.ones, ())", "return gv");
  }

  @Test
  void branchesAreLegalized() {
    IRModule module =
        Stages.run(
            Stages.parse(
                """
                @R.function
                def main(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")):
                    if c:
                        y = R.exp(x)
                    else:
                        y = x
                    return y
                """),
            new LegalizeOps());
    assertThat(Stages.main(module)).contains("  y_then = R.call_tir(cls.tir_exp, (x,))");
  }

  @Test
  void theTypesOfResultsStay() {
    IRModule module = Stages.run(Stages.parse(ADD), new LegalizeOps());
    TensorType result =
        (TensorType) module.requireFunction(new GlobalVar("main")).body().body().type();
    assertThat(result.dtype()).contains(DType.FLOAT32);
    assertThat(result).hasToString("R.Tensor((n, 4), dtype=\"float32\")");
  }
}
